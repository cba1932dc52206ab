/** Tests how tables and lists of facts are aligned. */

import { formatFields, formatTable } from '../../cli/output';

const rows = [
  { name: 'a', used: 7, note: 'one two three four five six' },
  { name: 'longer', used: 1_000, note: '' },
];

test.each<[string, string, readonly string[]]>([
  [
    'numbers at the right end of their columns',
    formatTable(rows),
    ['NAME    USED  NOTE', 'a          7  one two three four five six', 'longer  1000'],
  ],
  ['no table without rows', formatTable([]), ['']],
  [
    'fields of JSON in words without those that are undefined',
    formatFields({
      keyId: 'a',
      endsAt: undefined,
      usedUp: 3,
      list: ['b', 'c'],
      day: { limit: 2_147_483_647, endsAt: 0 },
    }),
    ['Key id   a', 'Used up  3', 'List     b, c', 'Day      limit unlimited, ends at 0'],
  ],
])('the output for people shows %s', (_, text, lines) => expect(text.split('\n')).toEqual(lines));
