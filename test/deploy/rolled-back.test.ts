/** A bad version meets traffic: a tenth of it fails until its alarm fires, and the version before is back. */

import { statusNow, trafficDuringUpdate } from './under-traffic';

jest.setTimeout(300_000);

test('most requests are answered while a bad version is tried, and all of them after it is rolled back', async () => {
  const { statuses, stackStatus } = await trafficDuringUpdate();
  expect(stackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  const failed = statuses.filter((status) => status === 500).length;
  expect(failed).toBeGreaterThan(0);
  expect(failed / statuses.length).toBeLessThan(0.4);
  for (let i = 0; i < 20; i++) expect(await statusNow()).toBe(302);
});
