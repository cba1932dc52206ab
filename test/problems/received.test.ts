/** Tests what errors repeat of a value: enough to recognise it, without any credential. */

import { writeReceived } from '../../lambda/problems/received';

test.each([
  ['an empty text', '', 'empty'],
  ['a word', 'lake', 'lake'],
  ['only control characters', '\u0000\u200b\u2028', 'only characters that cannot be shown'],
  ['control characters in a word', 'a\u0000\u202eb\ud800', 'ab\ufffd'],
  ['40 characters', '🦊'.repeat(40), '🦊'.repeat(40)],
  ['41 characters', '🦊'.repeat(41), `${'🦊'.repeat(40)}... and 1 more`],
  ['1,002 characters', 'a'.repeat(1_002), `${'a'.repeat(40)}... and 962 more`],
  ...['pk_live_', 'PK_TEST_', 'sg_live_', 'sgs_test_', 'site_live_', 'pk_', 'sgs_'].map((prefix) => [
    ...[`a key with ${prefix}`, `a ${prefix}12345678 b`, `a ${prefix}... b`],
  ]),
  ['a key in a query', 'api_key=pk_live_x&size=1', 'api_key=pk_live_...&size=1'],
  [
    'words that begin like keys',
    'pk_1234567 sg_12345678 site_12345678',
    'pk_1234567 sg_12345678 site_12345678',
  ],
])('an error shows %s short and without secrets', (_, value = '', text) => {
  expect(writeReceived(value)).toBe(text);
});
