/** When a settled entry may go. */

import { ulidOf } from '../../lambda/base/ulid';
import { isPrunable } from '../../lambda/quota/reservations';

test('a settled entry is removed a minute after its execution began, and not a millisecond earlier', () => {
  const begunMs = Date.parse('2026-11-21T12:10:00Z');
  const execution = ulidOf(begunMs, new Uint8Array(10));
  expect(isPrunable(execution, begunMs + 59_999)).toBe(false);
  expect(isPrunable(execution, begunMs + 60_000)).toBe(true);
});
