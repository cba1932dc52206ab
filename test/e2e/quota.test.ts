/** Quotas from the outside: exact under concurrency. */

import { ask } from './ask';
import { type LocalAccounts, localAccounts } from './local-account';
import { type SharedService, sharedService } from './shared-service';

let service: SharedService;
let accounts: LocalAccounts;
beforeAll(async () => {
  service = await sharedService();
  accounts = await localAccounts(service.url);
});
afterAll(() => accounts?.close());

const path = '/api/image/200x200-crowd';

test('200 requests at once with 50 units left: 50 images and 150 refusals', async () => {
  const { key, taken } = await accounts.open('free', 950);
  const headers = { 'X-API-Key': key };
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(service.url, { path, headers })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 302)).toHaveLength(50);
  expect(statuses.filter((status) => status === 429)).toHaveLength(150);
  expect(await taken()).toBe(1_000);
});
