/** Tables and lists of facts are aligned. */

import { formatFacts, formatTable } from '../../cli/output';

const rows = [
  { name: 'a', used: 7, note: 'one two three four five six' },
  { name: 'longer', used: 1_000, note: '' },
];

test.each<[string, string, readonly string[]]>([
  [
    'numbers to the right, text to the left, without trailing spaces',
    formatTable(rows),
    ['NAME    USED  NOTE', 'a          7  one two three four five six', 'longer  1000'],
  ],
  ['nothing without rows', formatTable([]), ['']],
  [
    'names in words, lists and what is nested, and nothing that is not known',
    formatFacts({
      keyId: 'a',
      endsAt: undefined,
      usedUp: 3,
      list: ['b', 'c'],
      day: { limit: 2_147_483_647, endsAt: 0 },
    }),
    ['Key id   a', 'Used up  3', 'List     b, c', 'Day      limit unlimited, ends at 0'],
  ],
])('output for people shows %s', (_, text, lines) => expect(text.split('\n')).toEqual(lines));
