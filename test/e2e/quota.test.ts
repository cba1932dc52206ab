/** Quotas from the outside: exact under concurrency. */

import { ask, header } from './ask';
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

test('100 requests at once with 25 units left: 25 images and 75 refusals, three times over', async () => {
  for (let round = 0; round < 3; round++) {
    const { key, taken } = await accounts.open('free', 975);
    const headers = { 'X-API-Key': key };
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(service.url, { path, headers })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 302)).toHaveLength(25);
    expect(statuses.filter((status) => status === 429)).toHaveLength(75);
    expect(await taken()).toBe(1_000);
  }
}, 120_000);

test('identical concurrent AI requests generate one image, and each delivery costs one unit', async () => {
  const { key, taken } = await accounts.open('business', 0);
  const headers = { 'X-API-Key': key };
  const wanted = { path: '/api/image/256x256-one-of-many?provider=ai', headers };
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(service.url, wanted)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
  expect(new Set(answers.map((answer) => header(answer, 'x-image-id'))).size).toBe(1);
  expect(answers.filter((answer) => header(answer, 'x-cache') === 'MISS')).toHaveLength(1);
  expect(await taken()).toBe(50);
}, 60_000);

test('both forms of a request are equivalent: same image, same URL', async () => {
  const { key } = await accounts.open('free', 0);
  const headers = { 'X-API-Key': key };
  const one = await ask(service.url, { path: '/api/image/1080x1350-caf%C3%A9_arcade', headers });
  const other = await ask(service.url, {
    path: '/api/image?query=caf%C3%A9%20%20Arcade&width=1080&height=1350',
    headers,
  });
  expect(header(other, 'location')).toBe(header(one, 'location'));
  expect([header(one, 'x-cache'), header(other, 'x-cache')]).toEqual(['MISS', 'HIT']);
});
