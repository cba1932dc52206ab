/** The operator's ceilings on generations from the outside, and what a web page can reach of a local service. */

import { request } from 'node:http';
import { describeLocal } from '../../cli/local-services';
import { type Answer, ask, header } from './ask';
import { type LocalAccounts, localAccounts } from './local-account';
import { type RunningService, startService } from './local-service';

let service: RunningService;
let accounts: LocalAccounts;
beforeAll(async () => {
  service = await startService(['--memory', '--json-logs'], {
    GENERATIONS_PER_DAY: '5',
    PLANS: JSON.stringify({ free: { generationsPerMonth: 2 } }),
  });
  accounts = await localAccounts(service.url);
});
afterAll(async () => {
  accounts?.close();
  await service?.stop();
});

const draw = (words: string, key: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  ask(service.url, {
    path: `/api/image/200x200-${words}?provider=ai`,
    headers: { 'X-API-Key': key, ...headers },
  });

test('an account’s generations end at its plan’s ceiling, images that exist are served, and others go on', async () => {
  const [free, pro] = [await accounts.open('free', 0), await accounts.open('pro', 0)];
  expect([(await draw('one', free.key)).status, (await draw('two', free.key)).status]).toEqual([302, 302]);
  const paused = await draw('three', free.key);
  expect([paused.status, JSON.parse(paused.body).code]).toEqual([429, 'quota_exceeded']);
  expect(JSON.parse(paused.body).detail).toMatch(
    /^The quota of 2 AI images per month .* It resets .* stock images are served/,
  );
  expect(header(paused, 'x-ratelimit-limit')).toBe('1000');
  expect(Number(header(paused, 'retry-after'))).toBeGreaterThan(0);
  const usage = await fetch(`${service.url}/api/usage`, { headers: { 'X-API-Key': free.key } });
  expect((await usage.json()).generations).toMatchObject({ limit: 2, used: 2, remaining: 0 });
  const stock = await ask(service.url, {
    path: '/api/image/200x200-lake',
    headers: { 'X-API-Key': free.key },
  });
  expect([stock.status, (await draw('one', free.key)).status]).toEqual([302, 302]);
  expect(await free.taken()).toBe(4);

  // Of a small day one account may have all.
  const made = [2];
  let key = pro.key;
  for (const account of [pro, await accounts.open('pro', 0), await accounts.open('pro', 0)]) {
    ({ key } = account);
    const drawn = await Promise.all(Array.from({ length: 9 }, (_, i) => draw(`image-${i}`, account.key)));
    const served = drawn.filter(({ status }) => status === 302).length;
    expect(drawn.filter(({ status }) => status === 503 || status === 429)).toHaveLength(9 - served);
    expect(await account.taken()).toBe(served);
    made.push(served);
  }
  expect(made.reduce((sum, count) => sum + count, 0)).toBe(5);
  expect(made).toEqual([2, 3, 0, 0]);

  const card = await draw('another', key, { 'Sec-Fetch-Dest': 'image' });
  expect([card.status, header(card, 'x-image-fallback')]).toEqual([503, 'generation_paused']);
  const announced = service.stderr().match(/Generation ceiling threshold reached/g);
  // 80 % and 100 % of the month of the free account, where both are its second image, and of the day.
  expect(announced).toHaveLength(4);
});

/** The status that a raw request is answered with; `fetch` would not send a host or an origin of its own choice. */
function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject).end('{}');
  });
}

test('a web page, another host name and a program without the token reach nothing of the internals', async () => {
  const { dynamodb, aws = '', token = '' } = await describeLocal(service.url);
  const secretsOfFunctions = { 'x-amz-target': 'secretsmanager.GetSecretValue' };
  const putItem = { 'x-amz-target': 'DynamoDB_20120810.PutItem' };
  const signed = {
    authorization: `AWS4-HMAC-SHA256 Credential=${token}/20261121/local/dynamodb/aws4_request`,
  };
  for (const [url, headers] of [
    [dynamodb, putItem],
    [aws, secretsOfFunctions],
    [`${aws}/2015-03-31/functions/renderer/invocations`, {}],
    [`${service.url}/_local`, {}],
  ] as const) {
    expect(await statusOf(url, headers)).toBe(403);
    expect(await statusOf(url, { ...headers, authorization: 'AWS4-HMAC-SHA256 Credential=local/x' })).toBe(
      403,
    );
    expect(await statusOf(url, { ...headers, ...signed, origin: 'https://page.example' })).toBe(403);
    expect(await statusOf(url, { ...headers, ...signed, origin: 'null' })).toBe(403);
    expect(await statusOf(url, { ...headers, ...signed, host: 'rebound.example' })).toBe(403);
    expect(await statusOf(url, { ...headers, ...signed })).not.toBe(403);
  }
  expect((await draw('one', service.keys.pro.test)).status).toBe(302);
});
