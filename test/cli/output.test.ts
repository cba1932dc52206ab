/** Tables are aligned and fit the terminal; results go to stdout. */

import { factsText, tableText } from '../../cli/output';

const rows = [
  { name: 'a', used: 7, note: 'one two three four five six' },
  { name: 'longer', used: 1_000, note: '' },
];

/** In a terminal of so many characters. */
function at(columns: number, make: () => string): string {
  Object.defineProperty(process.stdout, 'columns', { value: columns, configurable: true });
  const text = make();
  Reflect.deleteProperty(process.stdout, 'columns');
  return text;
}

it.each<[string, string, readonly string[]]>([
  [
    'numbers to the right, text to the left, without trailing spaces',
    tableText(rows),
    ['NAME    USED  NOTE', 'a          7  one two three four five six', 'longer  1000'],
  ],
  [
    'the last column wrapped at its words where the terminal is narrower',
    at(32, () => tableText(rows)),
    ['NAME    USED  NOTE', 'a          7  one two three four', '              five six', 'longer  1000'],
  ],
  [
    'a word whole that does not fit',
    at(30, () => tableText([{ check: 'role', found: 'is arn:aws:iam::000000000000:role/name' }])),
    ['CHECK  FOUND', 'role   is', '       arn:aws:iam::000000000000:role/name'],
  ],
  ['a character of several code units as one', tableText([{ a: 'é🦊', b: 'x' }]), ['A   B', 'é🦊  x']],
  ['nothing without rows', tableText([]), ['']],
  [
    'names in words, lists and what is nested, and nothing that is not known',
    factsText({
      keyId: 'a',
      endsAt: undefined,
      usedUp: 3,
      list: ['b', 'c'],
      day: { limit: 2_147_483_647, endsAt: 0 },
    }),
    ['Key id   a', 'Used up  3', 'List     b, c', 'Day      limit unlimited, ends at 0'],
  ],
])('output for people shows %s', (_, text, lines) => expect(text.split('\n')).toEqual(lines));
