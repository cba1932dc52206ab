/** Attacks on the operator's costs and on other callers, over HTTP: each is bounded, and another account goes on. */

import sharp from 'sharp';
import { defaultPlans, workPerHour } from '../../lambda/contract/plans';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { type Answer, ask, header } from './ask';
import { type LocalAccounts, localAccounts, type TestAccount } from './local-account';
import { type RunningService, startService } from './local-service';

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
  };
  service = await startService(['--memory'], { GENERATOR: JSON.stringify(generator) });
  accounts = await localAccounts(service.url);
  other = await accounts.open('pro', 0);
});
afterAll(async () => {
  accounts?.close();
  await service?.stop();
  await model?.stop();
});

const get = (path: string, { key }: Pick<TestAccount, 'key'>): Promise<Answer> =>
  ask(service.url, { path, headers: { Authorization: `Bearer ${key}` } });
const codeOf = (answer: Answer) => (answer.status === 302 ? 'served' : String(JSON.parse(answer.body).code));

test('free deliveries of a used-up account in ever new sizes end with the work of the hour in 429', async () => {
  const account = await accounts.open('free', 999);
  await account.spendWork(workPerHour.free - 10);
  const base = '/api/image/200x200-harbour?provider=ai';
  expect(codeOf(await get(`${base}&visibility=public`, account))).toBe('served');
  const answers: Answer[] = [];
  for (let i = 0; i < 8; i++)
    answers.push(await get(`/api/image/${201 + i}x200-harbour?provider=ai&alt=1`, account));
  // Nine units are left: each takes one for its delivery, and one for its rendition.
  expect(answers.map(codeOf)).toEqual([
    ...Array<string>(4).fill('served'),
    ...Array<string>(4).fill('rate_limited'),
  ]);
  const refused = answers.at(-1) as Answer;
  // The other headers stay those of the plan.
  expect(Number(header(refused, 'retry-after'))).toBeLessThanOrEqual(3_600);
  expect(header(refused, 'x-ratelimit-limit')).toBe('1000');
  expect(await account.taken()).toBe(1_000);

  expect(codeOf(await get('/api/image/300x200-harbour?provider=ai&alt=1', other))).toBe('served');
});

test('refused prompts end with the work of the hour in 429, and the account is charged nothing', async () => {
  const account = await accounts.open('free', 0);
  await account.spendWork(workPerHour.free - 100);
  const codes: string[] = [];
  for (let i = 0; i < 23; i++)
    codes.push(codeOf(await get(`/api/image/200x200-forbidden-${i}?provider=ai`, account)));
  expect(codes).toEqual([
    ...Array<string>(20).fill('content_refused'),
    ...Array<string>(3).fill('rate_limited'),
  ]);
  expect(prompts.filter((prompt) => prompt.includes('forbidden'))).toHaveLength(20);
  expect(await account.taken()).toBe(0);

  expect(codeOf(await get('/api/image/200x200-permitted?provider=ai', other))).toBe('served');
});

test('thirty free variations at once end with the AI images of the month, and another account is served', async () => {
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
  const begun = defaultPlans.free.generationsPerMonth - bases.length;
  expect(ends.filter((end) => end === 'quota_exceeded')).toHaveLength(30 - begun);
  // And that of the other account.
  expect(prompts.length - before).toBe(begun + 1);
  expect(await account.taken()).toBe(1_000);
});
