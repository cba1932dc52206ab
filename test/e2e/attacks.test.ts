/** Attacks on the operator's costs and on other callers, over HTTP: each is bounded, and another account goes on. */

import sharp from 'sharp';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { type Answer, ask, header } from './ask';
import { type LocalAccounts, localAccounts, type TestAccount } from './local-account';
import { type RunningService, startService } from './local-service';
import { readUntil } from './read-until';

/** Small enough to be reached by a test. */
const freeDeliveriesPerHour = 9;
const newRenditionsPerHour = freeDeliveriesPerHour / 3;
const requestsPerMinute = 40;
const accountShare = requestsPerMinute * 0.4;

let model: Loopback;
/** The prompts that the model was asked for. */
const prompts: string[] = [];
let service: RunningService;
let accounts: LocalAccounts;
let other: TestAccount;

beforeAll(async () => {
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  model = await listenOnLoopback(async (request, response) => {
    const { prompt } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { prompt: string };
    prompts.push(prompt);
    response.setHeader('content-type', 'application/json');
    if (prompt.includes('forbidden'))
      return void response
        .writeHead(400)
        .end('{"error":{"code":"moderation_blocked","type":"user_error","message":"refused"}}');
    response.end(JSON.stringify({ data: [{ b64_json: image.toString('base64') }] }));
  });
  const generator = {
    kind: 'openai-compatible',
    baseUrl: `${model.address}/v1`,
    model: 'm',
    requestsPerMinute,
  };
  service = await startService(['--memory'], {
    GENERATOR: JSON.stringify(generator),
    PLANS: JSON.stringify({ free: { freeDeliveriesPerHour } }),
  });
  accounts = await localAccounts(service.url);
  other = await accounts.open('pro', 0);
}, 120_000);
afterAll(async () => {
  accounts?.close();
  await service?.stop();
  await model?.stop();
});

const get = (path: string, { key }: Pick<TestAccount, 'key'>): Promise<Answer> =>
  ask(service.url, { path, headers: { Authorization: `Bearer ${key}` } });
const codeOf = (answer: Answer) => (answer.status === 302 ? 'served' : String(JSON.parse(answer.body).code));

test('free deliveries of a used-up account in ever new sizes: a third of the hour are made, then 429', async () => {
  const account = await accounts.open('free', 999);
  expect(codeOf(await get('/api/image/200x200-harbour?provider=ai&visibility=public', account))).toBe(
    'served',
  );
  const answers: Answer[] = [];
  for (let i = 0; i < 12; i++)
    answers.push(await get(`/api/image/${200 + i}x200-harbour?provider=ai&alt=1`, account));
  const served = answers.filter(({ status }) => status === 302);
  expect(new Set(served.map((answer) => header(answer, 'location'))).size).toBeLessThanOrEqual(
    newRenditionsPerHour + 1, // The size of the paid delivery exists already.
  );
  expect(served.length).toBeLessThanOrEqual(freeDeliveriesPerHour);
  const refused = answers.at(-1) as Answer;
  expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
  const resetMs = Date.parse(header(refused, 'x-ratelimit-reset'));
  expect(Math.abs(Date.now() + Number(header(refused, 'retry-after')) * 1_000 - resetMs)).toBeLessThan(5_000);
  expect(await account.taken()).toBe(1_000);

  expect(codeOf(await get('/api/image/300x200-harbour?provider=ai&alt=1', other))).toBe('served');
}, 60_000);

test('refused prompts: the model is asked for twenty an hour, then 429, and the account is charged nothing', async () => {
  const account = await accounts.open('free', 0);
  const codes: string[] = [];
  for (let i = 0; i < 23; i++)
    codes.push(codeOf(await get(`/api/image/200x200-forbidden-${i}?provider=ai`, account)));
  expect(codes).toEqual([
    ...Array<string>(20).fill('content_refused'),
    ...Array<string>(3).fill('rate_limited'),
  ]);
  expect(prompts.filter((prompt) => prompt.includes('forbidden'))).toHaveLength(20);
  // An image that fails is refunded behind its answer.
  expect(await readUntil(account.taken, (units) => units === 0, { withinMs: 10_000 })).toBe(0);

  expect(codeOf(await get('/api/image/200x200-permitted?provider=ai', other))).toBe('served');
}, 120_000);

test('thirty free variations at once: an account takes its share of the model’s minute, and another is served', async () => {
  const account = await accounts.open('free', 997);
  const bases = ['lake', 'lane', 'lamp'];
  for (const words of bases)
    expect(codeOf(await get(`/api/image/200x200-${words}?provider=ai`, account))).toBe('served');
  const before = prompts.length;
  const flood = bases.flatMap((words) =>
    Array.from({ length: 10 }, (_, i) =>
      get(`/api/image/200x200-${words}?provider=ai&variation=${i + 1}`, account),
    ),
  );
  const tenant = await get('/api/image/200x200-new-image-of-another-account?provider=ai', other);
  expect(codeOf(tenant)).toBe('served');
  const ends = (await Promise.all(flood)).map(codeOf);
  expect(ends.filter((end) => !['served', 'rate_limited', 'too_many_generations'].includes(end))).toEqual([]);
  // A clock minute may turn meanwhile.
  expect(prompts.length - before).toBeLessThanOrEqual(Math.min(2 * accountShare, freeDeliveriesPerHour) + 1);
  expect(await account.taken()).toBe(1_000);
}, 120_000);
