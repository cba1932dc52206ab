/** Attacks on the operator's costs, other callers and the service's inside, over HTTP: each is bounded. */

import { describeLocal } from '../../cli/local-services';
import { workPerHour } from '../../lambda/contract/plans';
import { fixtureOf } from '../fakes/fixture';
import { png } from '../fakes/images';
import { listenOnLoopback } from '../fakes/loopback';
import { type Answer, ask, header } from './ask';
import { requestsTo } from './fake-providers';
import { localAccounts, type TestAccount } from './local-account';
import { startService } from './local-service';
import { operatorAt } from './operator';
import { withinOneHour } from './within-one-hour';

/** AI images that a free account may make in a month, and all in a day. */
const ceilings = { month: 5, day: 10 } as const;

/** Number of requests to the model. */
let asked = 0;
const model = fixtureOf(async () => {
  const b64_json = (await png(64, 64)).toString('base64');
  return listenOnLoopback((_, response) => {
    asked += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: [{ b64_json }] }));
  });
});
const service = fixtureOf(() =>
  startService(['--memory', '--fake-providers', '--bind', 'stock_b=unsplash'], {
    GENERATOR: JSON.stringify({ kind: 'openai-compatible', baseUrl: `${model.address}/v1`, model: 'm' }),
    GENERATIONS_PER_DAY: String(ceilings.day),
    PLANS: JSON.stringify({ free: { generationsPerMonth: ceilings.month } }),
    PROVIDER_QUOTAS: '{"unsplash":{"perHour":10}}',
  }),
);
const accounts = fixtureOf(() => localAccounts(service.url));
const other = fixtureOf(() => accounts.open('pro', 0));

const get = (path: string, { key }: Pick<TestAccount, 'key'>, headers = {}): Promise<Answer> =>
  ask(service.url, { path, headers: { Authorization: `Bearer ${key}`, ...headers } });
const codeOf = (answer: Answer) => (answer.status === 302 ? 'served' : String(JSON.parse(answer.body).code));
/** One after the other, as a limit that is nearly used up refuses some of those at once. */
async function sendInTurn(
  count: number,
  send: (index: number) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < count; i++) answers.push(await send(i));
  return answers;
}
const shown = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 302).length;

test('free deliveries of a used-up account in ever new sizes end with the work of the hour in 429', () =>
  withinOneHour(async (attempt) => {
    const account = await accounts.open('free', 999);
    await account.spendWork(workPerHour.free - 10);
    const sized = (width: number) => `/api/image/${width}x200-harbour-${attempt}?provider=ai`;
    expect(codeOf(await get(`${sized(200)}&visibility=public`, account))).toBe('served');
    const answers = await sendInTurn(8, (i) => get(`${sized(201 + i)}&alt=1`, account));
    // Nine units are left: each takes one for its delivery, and one for its rendition.
    expect(answers.map(codeOf)).toEqual([...Array(4).fill('served'), ...Array(4).fill('rate_limited')]);
    const refused = answers.at(-1) as Answer;
    // The other headers stay those of the plan.
    expect(Number(header(refused, 'retry-after'))).toBeLessThanOrEqual(3_600);
    expect(header(refused, 'x-ratelimit-limit')).toBe('1000');
    expect(await account.taken()).toBe(1_000);
    expect(codeOf(await get(`${sized(300)}&alt=1`, other))).toBe('served');
  }));

test('ten free variations at once stop at the month’s AI images; known images and stock are served', async () => {
  const account = await accounts.open('free', 0);
  const path = '/api/image/200x200-lake?provider=ai';
  expect(codeOf(await get(path, account))).toBe('served');
  const before = asked;
  const flood = Array.from({ length: 10 }, (_, i) => get(`${path}&variation=${i + 1}`, account));
  const ends = await Promise.all(flood);
  const begun = ceilings.month - 1;
  expect(asked - before).toBe(begun);
  const refused = ends.filter((end) => codeOf(end) === 'quota_exceeded');
  expect(refused).toHaveLength(10 - begun);
  expect(JSON.parse(refused[0]?.body ?? '').detail).toMatch(
    /^The quota of 5 AI images per month .* It resets .* stock images are served/,
  );
  expect(header(refused[0] as Answer, 'x-ratelimit-limit')).toBe('1000');
  const usage = JSON.parse((await get('/api/usage', account)).body);
  expect(usage.generations).toMatchObject({ limit: ceilings.month, used: ceilings.month, remaining: 0 });
  for (const known of [path, '/api/image/200x200-lake'])
    expect(codeOf(await get(known, account))).toBe('served');
  expect(await account.taken()).toBe(3);
  expect(codeOf(await get('/api/image/200x200-of-another-account?provider=ai', other))).toBe('served');
});

test('AI images of all accounts end with those of the day', async () => {
  const answers = await Promise.all(
    Array.from({ length: ceilings.day }, (_, i) => get(`/api/image/200x200-day-${i}?provider=ai`, other)),
  );
  expect(asked).toBe(ceilings.day);
  expect(await other.taken()).toBe(1 + shown(answers));
  const card = await get('/api/image/200x200-another?provider=ai', other, { 'Sec-Fetch-Dest': 'image' });
  expect([card.status, header(card, 'x-image-fallback')]).toEqual([503, 'generation_paused']);
});

test('one unit of a site key makes at most an hour’s work of one visitor, and its account goes on', () =>
  withinOneHour(async (attempt) => {
    const account = await accounts.open('free', 0);
    const origin = 'https://a.example';
    const { siteKey } = await operatorAt(service.url).openSite(account.account, origin, 200);
    const answers = await sendInTurn(75, (i) => {
      const path = `/api/image?query=harbour-${attempt}&width=${100 + i}&height=100&site=${siteKey}`;
      return ask(service.url, { path, headers: { Origin: origin } });
    });
    expect(shown(answers)).toBeLessThanOrEqual(61);
    expect(await account.taken()).toBe(1);
    expect((await get('/api/image/200x200-search-of-my-own', account)).status).toBe(302);
  }));

test('30 sizes of one image leave a provider’s budget to others, and callers without a key half of it', () =>
  withinOneHour(async (attempt) => {
    const account = await accounts.open('free', 0);
    const requests = async () => (await requestsTo(service.fakeProviders['unsplash'] as string)).length;
    // The slots of other tests fall back to Unsplash, too.
    const before = await requests();
    await sendInTurn(30, (i) =>
      get(`/api/image/${100 + i}x100-old-harbour-${attempt}?provider=stock_b`, account),
    );
    expect((await requests()) - before).toBeLessThanOrEqual(4);
    const next = await get(`/api/image/200x100-quiet-wood-${attempt}?provider=stock_b`, other);
    expect(header(next, 'x-image-source')).toBe('stock_b');
    const answers = await sendInTurn(6, (i) =>
      ask(service.url, { path: `/api/image/100x10${i}-tree-${i}-${attempt}?provider=stock_b` }),
    );
    expect(shown(answers)).toBe(6);
    expect(answers.map((answer) => header(answer, 'x-image-source')).every((it) => it === 'stock_b')).toBe(
      false,
    );
  }));

test('a program without the token, and a web page even with it, reach nothing of the internals', async () => {
  const { dynamodb, aws = '', token = '' } = await describeLocal(service.url);
  const signed = {
    authorization: `AWS4-HMAC-SHA256 Credential=${token}/20261121/local/dynamodb/aws4_request`,
  };
  for (const [url, target] of [
    [dynamodb, 'DynamoDB_20120810.PutItem'],
    [aws, 'secretsmanager.GetSecretValue'],
    [`${aws}/2015-03-31/functions/renderer/invocations`, ''],
    [`${service.url}/_local`, ''],
  ] as const) {
    const statusOf = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(url, { method: 'POST', body: '{}', headers: { ...headers, 'x-amz-target': target } }))
        .status;
    expect(await statusOf({})).toBe(403);
    expect(await statusOf({ ...signed, origin: 'https://page.example' })).toBe(403);
    expect(await statusOf(signed)).not.toBe(403);
  }
});
