/** When a settled entry may go. */

import { firstUlidAt } from '../../lambda/base/ulid';
import { isPrunable } from '../../lambda/quota/reservations';

test('a settled entry is removed a minute after its execution began, and not a millisecond earlier', () => {
  const begunMs = Date.parse('2026-11-21T12:10:00Z');
  const execution = firstUlidAt(begunMs);
  expect(isPrunable(execution, begunMs + 59_999)).toBe(false);
  expect(isPrunable(execution, begunMs + 60_000)).toBe(true);
});
