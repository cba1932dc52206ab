/** What errors repeat of a value: enough to recognise it, and no credential, however it is mistyped. */

import { writeReceived } from '../../lambda/problems/received';

test.each([
  ['', 'empty'],
  ['lake', 'lake'],
  ['\u0000\u200b\u2028', 'only characters that cannot be shown'],
  ['a\u0000\u202eb\ud800', 'ab\ufffd'],
  ['🦊'.repeat(40), '🦊'.repeat(40)],
  ['🦊'.repeat(41), `${'🦊'.repeat(40)}... and 1 more`],
  ['a'.repeat(1_002), `${'a'.repeat(40)}... and 962 more`],
  ...['pk_live_', 'PK_TEST_', 'sg_live_', 'sgs_test_', 'site_live_', 'pk_', 'sgs_'].map((prefix) => [
    `a ${prefix}12345678 b`,
    `a ${prefix}... b`,
  ]),
  ['api_key=pk_live_x&size=1', 'api_key=pk_live_...&size=1'],
  // Words that begin alike.
  ['pk_1234567 sg_12345678 site_12345678', 'pk_1234567 sg_12345678 site_12345678'],
])('for the received value %j, an error shows %j', (value = '', shown) => {
  expect(writeReceived(value)).toBe(shown);
});
