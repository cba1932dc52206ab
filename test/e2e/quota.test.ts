/** Quotas from the outside: exact under concurrency. */

import { ask } from './ask';
import { type LocalAccounts, localAccounts } from './local-account';
import { type SharedService, sharedService } from './shared-service';

let service: SharedService;
let accounts: LocalAccounts;
beforeAll(async () => {
  service = await sharedService();
  accounts = await localAccounts(service.url);
}, 60_000);
afterAll(() => accounts?.close());

const path = '/api/image/200x200-crowd';

test('100 requests at once with 25 units left: 25 images and 75 refusals', async () => {
  const { key, taken } = await accounts.open('free', 975);
  const headers = { 'X-API-Key': key };
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(service.url, { path, headers })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 302)).toHaveLength(25);
  expect(statuses.filter((status) => status === 429)).toHaveLength(75);
  expect(await taken()).toBe(1_000);
}, 120_000);
