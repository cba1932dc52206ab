/** What the doctor finds in an account and in a stack: each fault is named with what fixes it. */

import type { Account } from '../../cli/doctor/account';
import type { Send } from '../../cli/doctor/after';
import type { Finding } from '../../cli/doctor/check';
import { configuredStage, examined, report } from '../../cli/doctor/doctor';
import { expectRefusal, runTool } from './run-tool';

const nowMs = Date.UTC(2026, 10, 27);
const arn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1`;
const settings = [
  'slotBindings={"stock_a":"unsplash"}',
  'generator={"kind":"bedrock-stability","modelId":"stability.stable-image-core-v1:1","region":"us-west-2"}',
  `domains={"api":{"name":"api.example.org","certificateArn":"${arn('eu-west-1')}"}}`,
];
const secretOf = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:keys';
const stack = {
  status: 'UPDATE_COMPLETE',
  outputs: {
    BootstrapVersion: '30',
    ApiUrl: 'https://api.example.org',
    StockProviders: JSON.stringify({
      SLOT_BINDINGS: '{"stock_a":"unsplash","stock_b":"sandbox","stock_c":"sandbox"}',
      PROVIDER_SECRET_ID: secretOf,
    }),
  },
};
const alarm = { name: 'Faults', isOn: false, notifies: true };

/** An account in which everything is as it should be, but for what is given. */
const accountWith = (changes: Partial<Account> = {}): Account => ({
  region: 'eu-west-1',
  accountId: async () => '123456789012',
  stack: async () => stack,
  executions: async () => ({ all: 1_000, unreserved: 1_000 }),
  requestsPerSecond: async () => 10_000,
  model: async () => ({ state: 'active' }),
  certificate: async () => ({ status: 'ISSUED', names: ['*.example.org'], endsMs: nowMs + 300 * 86_400_000 }),
  alarms: async () => [alarm],
  secret: async () => '{"unsplash":"a-secret-key"}',
  ...changes,
});

/** Serves the slot or the AI image that is asked for. */
const serving: Send = async (url) => {
  const { pathname, searchParams } = new URL(url);
  if (pathname.startsWith('/file')) return new Response('bytes');
  const headers = {
    Location: 'https://images.example.org/file',
    'X-Image-Source': searchParams.get('provider') ?? '',
  };
  return new Response('{}', { status: 302, headers });
};

const before = (changes?: Partial<Account>, more: readonly string[] = []) =>
  examined(accountWith(changes), configuredStage('prod', [...settings, ...more]), nowMs);
const after = (changes?: Partial<Account>, send = serving, key: string | undefined = 'pk_test_secret') =>
  examined(accountWith(changes), { stack: 'ImageRedirect-prod', key }, nowMs, send);

const words = (findings: readonly Finding[]) =>
  findings.map(({ check, outcome, found, fix }) => `${outcome} ${check}: ${found}${fix ? ` | ${fix}` : ''}`);
const faults = async (findings: Promise<readonly Finding[]>) =>
  words((await findings).filter(({ outcome }) => outcome !== 'pass'));

test('an account that is ready passes, with what the deployment asks for afterwards', async () => {
  expect(await faults(before())).toEqual([
    expect.stringMatching(/^warning provider keys: unsplash need a key.*put-secret-value/),
  ]);
  expect((await before()).map(({ check }) => check)).toEqual([
    ...['credentials', 'bootstrap', 'executions', 'requests a second'],
    ...['model', 'provider keys', 'API certificate'],
  ]);
});

test.each<[string, Partial<Account>, RegExp]>([
  ['no region', { region: undefined }, /^failure region: no region is named \| export AWS_REGION/],
  [
    'no bootstrap',
    { stack: async () => undefined },
    /^failure bootstrap: .*\| npx cdk bootstrap aws:\/\/123456789012\/eu-west-1/,
  ],
  [
    'an old bootstrap',
    { stack: async () => ({ status: '', outputs: { BootstrapVersion: '5' } }) },
    /^failure bootstrap: version 5/,
  ],
  [
    'few executions',
    { executions: async () => ({ all: 10, unreserved: 10 }) },
    /^warning executions: 10 at once carry 50 requests a second.*L-B99A9384/,
  ],
  [
    'a small gateway',
    { requestsPerSecond: async () => 1_000 },
    /^warning requests a second: API Gateway admits 1000.*L-8A5B8E43/,
  ],
  ['a model of the past', { model: async () => ({ state: 'gone' }) }, /^failure model/],
  ['a model that is retired soon', { model: async () => ({ state: 'legacy' }) }, /^warning model/],
  [
    'a model without agreement',
    { model: async () => ({ state: 'active', obstacle: 'agreement' }) },
    /^warning model: .*invoke-model/,
  ],
  [
    'a model of another region',
    { model: async () => ({ state: 'active', obstacle: 'it is not available there' }) },
    /^failure model: .*not available/,
  ],
  [
    'a certificate of another name',
    { certificate: async () => ({ status: 'ISSUED', names: ['b.example.net'], endsMs: Infinity }) },
    /^failure API certificate: it names b\.example\.net, not api\.example\.org/,
  ],
  [
    'a certificate that waits',
    {
      certificate: async () => ({
        status: 'PENDING_VALIDATION',
        names: ['api.example.org'],
        endsMs: Infinity,
      }),
    },
    /^failure API certificate.*DNS record/,
  ],
  [
    'a certificate that ends',
    {
      certificate: async () => ({ status: 'ISSUED', names: ['api.example.org'], endsMs: nowMs + 86_400_000 }),
    },
    /^warning API certificate.*ends on 2026-11-28/,
  ],
  [
    'what may not be read',
    {
      executions: async () =>
        Promise.reject(
          Object.assign(new Error('User is not authorized to perform: lambda:GetAccountSettings'), {
            name: 'AccessDeniedException',
          }),
        ),
    },
    /^warning executions: could not be checked: .*lambda:GetAccountSettings/,
  ],
])('before a deployment, %s is found', async (_, changes, expected) => {
  expect(await faults(before(changes))).toContainEqual(expect.stringMatching(expected));
});

test('a certificate of another region is found', async () => {
  expect(await faults(before({ region: 'us-east-1' }))).toContainEqual(
    expect.stringMatching(/^failure API certificate: arn.*is not in us-east-1/),
  );
});

test('a stack that serves passes, one image for each slot and one of AI', async () => {
  expect(await faults(after())).toEqual([]);
  expect((await after()).map(({ check }) => check)).toEqual([
    ...['credentials', 'stack', 'alarms', 'provider keys'],
    ...['slot stock_a', 'slot stock_b', 'slot stock_c', 'AI image'],
  ]);
});

const answering =
  (status: number, headers: Record<string, string> = {}): Send =>
  async () =>
    new Response('{"code":"no_image_found","requestId":"r-1"}', { status, headers });

test.each<[string, Partial<Account>, Send, RegExp]>([
  ['no stack', { stack: async () => undefined }, serving, /^failure stack: There is no stack/],
  [
    'another stack',
    { stack: async () => ({ status: 'CREATE_COMPLETE', outputs: {} }) },
    serving,
    /^failure stack: it is no image redirect service/,
  ],
  [
    'a deployment that was rolled back',
    { stack: async () => ({ ...stack, status: 'UPDATE_ROLLBACK_COMPLETE' }) },
    serving,
    /^warning stack.*npx cdk deploy ImageRedirect-prod/,
  ],
  [
    'a stack that failed',
    { stack: async () => ({ ...stack, status: 'UPDATE_ROLLBACK_FAILED' }) },
    serving,
    /^failure stack: UPDATE_ROLLBACK_FAILED/,
  ],
  [
    'an alarm that is on',
    { alarms: async () => [{ ...alarm, isOn: true }] },
    serving,
    /^failure alarms: Faults is on/,
  ],
  [
    'alarms that notify nobody',
    { alarms: async () => [{ ...alarm, notifies: false }] },
    serving,
    /^warning alarms: 1 alarm of 1 notify nobody.*alarmEmail/,
  ],
  [
    'a key that is not set',
    { secret: async () => '{}' },
    serving,
    /^failure provider keys: unsplash not set \| aws secretsmanager/,
  ],
  [
    'no image',
    {},
    answering(404),
    /^failure slot stock_a: answered with 404 no_image_found \(request r-1\) \| npm run image-redirect -- providers/,
  ],
  ['a fault', {}, answering(500), /^failure slot stock_a: answered with 500.*aws logs tail/],
  ['a limit', {}, answering(429), /^warning slot stock_a: answered with 429/],
  [
    'no answer',
    {},
    () => Promise.reject(new Error('ENOTFOUND')),
    /^failure slot stock_a: https:\/\/api\.example\.org does not answer/,
  ],
  [
    'another provider',
    {},
    (url) => serving(url.replace('provider=stock_a', 'provider=stock_b')),
    /^warning slot stock_a: stock_b answered in its place/,
  ],
  [
    'no file',
    {},
    (url) => (url.includes('/file') ? answering(403)(url) : serving(url)),
    /^failure slot stock_a: its file is answered with 403/,
  ],
])('after a deployment, %s is found', async (_, changes, send, expected) => {
  expect(await faults(after(changes, send))).toContainEqual(expect.stringMatching(expected));
});

test('without a key the AI image is not checked, and no request carries one', async () => {
  const sent: object[] = [];
  const send: Send = (url, headers = {}) => {
    sent.push(headers);
    return serving(url);
  };
  const found = await faults(
    examined(accountWith(), { stack: 'ImageRedirect-prod', key: undefined }, nowMs, send),
  );
  expect(found).toEqual([expect.stringMatching(/^warning AI image: not checked.*keys -- create/)]);
  expect(sent.every((headers) => Object.keys(headers).length === 0)).toBe(true);
});

test('no secret is printed, in the table or in JSON', async () => {
  const { json, text } = report('stack x', await after(), nowMs);
  expect(json).toMatchObject({ passes: 8, findings: expect.any(Array) });
  expect(text(80)).toContain('8 passed');
  expect(`${JSON.stringify(json)}${text(80)}`).not.toMatch(/a-secret-key|pk_test_secret/);
});

test('a setting that is no setting is refused in one line', async () => {
  expectRefusal(await runTool(['doctor', '-c', 'x'], { cwd: __dirname }), 2, '--context takes NAME=VALUE');
  const ended = await runTool(['doctor', '-c', 'nosuch=1', '--stage', 'dev'], { cwd: __dirname });
  expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nosuch') });
});
