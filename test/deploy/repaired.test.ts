/** The service is on fire: a bad version has all the traffic, and its alarm is on; the repaired version goes out all the same. */

import { readUntil } from '../e2e/read-until';
import { firingCanaries, statusNow, trafficDuringUpdate } from './under-traffic';

jest.setTimeout(300_000);

test('a repaired version is deployed while each request fails', async () => {
  const failAndLook = async () => {
    expect(await statusNow()).toBe(500);
    return firingCanaries();
  };
  expect(await readUntil(failAndLook, (firing) => firing.length > 0, { withinMs: 5_000 })).toHaveLength(1);
  const { statuses, stackStatus } = await trafficDuringUpdate();
  expect(stackStatus).toBe('UPDATE_COMPLETE');
  expect(new Set(statuses)).toEqual(new Set([500, 302]));
  for (let i = 0; i < 20; i++) expect(await statusNow()).toBe(302);
  expect(await firingCanaries()).toEqual([]);
});
