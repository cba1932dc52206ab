/** After a deployment: a healthy stack passes, each fault alone is found with what fixes it, and no secret is printed. */

import type { Account, StackFacts } from '../../../cli/doctor/account';
import { report } from '../../../cli/doctor/doctor';
import { examineStack } from '../../../cli/doctor/examine';
import { keyAndServer } from '../../../cli/doctor/generator-checks';
import type { Send } from '../../../cli/doctor/stack-checks';
import { createOutput } from '../../../cli/output';
import { variables } from '../../../lambda/contract/environment';
import { outputs } from '../../../lambda/contract/outputs';
import {
  deployedStack,
  generatorUrl,
  healthyService,
  healthyStack,
  key,
  nowMs,
  openAiGenerator,
  resources,
  secretValue,
  signedUrl,
  stackName,
} from './healthy-account';

interface Fault {
  readonly account?: Partial<Account>;
  readonly service?: Send;
  readonly key?: string | undefined;
}

const examine = (fault: Fault) =>
  examineStack(
    healthyStack(fault.account),
    stackName,
    fault.service ?? healthyService(),
    nowMs,
    'key' in fault ? fault.key : key,
  );

const state = (status: string): Fault => ({ account: { stack: async () => ({ ...deployedStack, status }) } });
const without = (logicalId: string): Fault => ({
  account: { resources: async () => resources.filter((each) => each.logicalId !== logicalId) },
});
const topic = (changes: Partial<Awaited<ReturnType<Account['topic']>>>): Fault => {
  const healthy = healthyStack();
  return { account: { topic: async (arn) => ({ ...(await healthy.topic(arn)), ...changes }) } };
};
const alarm = (changes: object): Fault => ({
  account: {
    alarms: async (names) =>
      names.map((name) => ({ name, isEnabled: true, actions: ['arn:aws:sns:topic'], ...changes })),
  },
});
const secretOf = (
  wanted: string,
  facts: Awaited<ReturnType<Account['secret']>>,
  healthy = healthyStack(),
): Fault => ({
  account: { secret: async (id) => (id === wanted ? facts : healthy.secret(id)) },
});
const answers = (when: (url: string) => boolean, answer: () => Response): Fault => ({
  service: healthyService((url) => (when(url) ? answer() : undefined)),
});
const to = (part: string) => (url: string) => url.includes(part);
const problem = (status: number, code: string) => () => Response.json({ code }, { status });
const generator = (changes: object): Fault => ({
  account: {
    functionVariables: async () => ({
      [variables.generator]: JSON.stringify({ ...openAiGenerator, ...changes }),
    }),
  },
});
const outputless: StackFacts = {
  ...deployedStack,
  outputs: { ...deployedStack.outputs, [outputs.lookupCacheTable]: '' },
};

test('resources that cannot be listed end no other check', async () => {
  const message = 'User x is not authorized to perform: cloudformation:ListStackResources';
  const error = Object.assign(new Error(message), { name: 'AccessDenied' });
  const findings = await examine({ account: { resources: () => Promise.reject(error) } });
  const healthy = await examine({});
  expect(findings.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(5);
  const unread = findings.filter(({ found }) => found.includes('cloudformation:ListStackResources'));
  expect(unread.map(({ check }) => check)).toEqual(['alarms', 'schedule', 'secrets', 'generator']);
  expect(findings.map(({ check }) => check).filter((check) => check !== 'generator')).toEqual(
    healthy.map(({ check }) => check).filter((check) => check !== 'generator'),
  );
});

test('a healthy stack passes every check', async () => {
  const findings = await examine({});
  expect(findings.map(({ check, outcome }) => `${check}: ${outcome}`)).toEqual(
    [
      'region',
      'credentials',
      'stack',
      'outputs',
      'alarms',
      'schedule',
      'secrets',
      'provider keys',
      'generator',
      'generations today',
      'slot stock_a',
      'slot stock_b',
      'slot stock_c',
      'private image',
      'generations this month',
    ].map((check) => `${check}: pass`),
  );
});

test.each([
  ['the sandbox draws', { kind: 'sandbox' }, ['generator']],
  ['Bedrock draws', { kind: 'bedrock-stability' }, ['model lifecycle', 'model access']],
  ['a server without a key draws', { ...openAiGenerator, apiKeyName: undefined }, ['generator']],
])('where %s, its own checks are made', async (_, settings, checks) => {
  const service = healthyService((url) =>
    url.startsWith(generatorUrl) ? Response.json({ data: [{ id: 'gpt-image-1' }] }) : undefined,
  );
  const { account } = generator({});
  const findings = await examine({
    service,
    account: {
      ...account,
      functionVariables: async () => ({ [variables.generator]: JSON.stringify(settings) }),
    },
  });
  expect(findings.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(checks));
});

test.each([
  ['set', { secret: '{"other":"k-1"}' }, { outcome: 'pass', found: 'the key other is set' }],
  ['missing', { secret: '{}' }, { outcome: 'failure', found: 'the key other is not set' }],
  ['without a secret', {}, { outcome: 'failure', found: expect.stringContaining('no secret') }],
])(
  'of a generator that has no server to ask, the key is checked: %s',
  async (_, { secret }: { secret?: string }, verdict) => {
    const account = healthyStack({
      secret: async () => ({ isBeingDeleted: false, ...(secret === undefined ? {} : { value: secret }) }),
    });
    const send = () => Promise.reject(new Error('It is not asked'));
    const secretId = secret === undefined ? undefined : 'the-secret';
    expect(await keyAndServer({ account, send }, { keyName: 'other' }, secretId)).toMatchObject(verdict);
  },
);

test('a stack without a ceiling on generations asks no counter', async () => {
  const off = { ...deployedStack, outputs: { ...deployedStack.outputs, [outputs.generationsPerDay]: 'off' } };
  const taken = () => Promise.reject(new Error('It is not asked'));
  const findings = await examine({ account: { stack: async () => off, taken } });
  expect(findings.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
});

type Case = readonly [fault: string, Fault, check: string, outcome: 'warning' | 'failure', fix: RegExp];
const cases: readonly Case[] = [
  [
    'no stack',
    { account: { stack: async () => undefined } },
    'stack',
    'failure',
    /cdk deploy ImageRedirect-prod/,
  ],
  [
    'a stack that cannot be read',
    { account: { stack: () => Promise.reject(new Error('no')) } },
    'stack',
    'failure',
    /--profile/,
  ],
  ['a deployment that runs', state('UPDATE_IN_PROGRESS'), 'stack', 'warning', /Wait/],
  ['a deployment that was rolled back', state('UPDATE_ROLLBACK_COMPLETE'), 'stack', 'warning', /cdk deploy/],
  ['a stuck rollback', state('UPDATE_ROLLBACK_FAILED'), 'stack', 'failure', /continue-update-rollback/],
  ['a failed deployment', state('ROLLBACK_COMPLETE'), 'stack', 'failure', /describe-stack-events/],
  ['a missing output', { account: { stack: async () => outputless } }, 'outputs', 'failure', /cdk deploy/],
  ['no alarms', without('ThrottlesAlarm'), 'alarms', 'failure', /cdk deploy/],
  ['a deleted alarm', { account: { alarms: async () => [] } }, 'alarms', 'failure', /cdk deploy/],
  ['alarms that are off', alarm({ isEnabled: false }), 'alarms', 'failure', /enable-alarm-actions/],
  ['alarms that notify nothing', alarm({ actions: [] }), 'alarms', 'warning', /alarmEmail/],
  [
    'a topic that alarms may not publish to',
    topic({ policy: '{"Statement":[]}' }),
    'alarms',
    'failure',
    /cdk deploy/,
  ],
  ['a topic without subscription', topic({ confirmed: 0 }), 'alarms', 'failure', /sns subscribe/],
  [
    'a subscription that is not confirmed',
    topic({ confirmed: 0, pending: 1 }),
    'alarms',
    'warning',
    /Confirmation/,
  ],
  ['no schedule', without('SweeperSchedule'), 'schedule', 'failure', /cdk deploy/],
  [
    'a schedule that is off',
    { account: { rule: async () => ({ isEnabled: false, targets: 1 }) } },
    'schedule',
    'failure',
    /enable-rule --name sweeper-rule/,
  ],
  [
    'a schedule without target',
    { account: { rule: async () => ({ isEnabled: true, targets: 0 }) } },
    'schedule',
    'failure',
    /cdk deploy/,
  ],
  [
    'a secret that is being deleted',
    secretOf('signing-secret', { isBeingDeleted: true }),
    'secrets',
    'failure',
    /restore-secret --secret-id signing-secret/,
  ],
  [
    'a secret without value',
    secretOf('signing-secret', { isBeingDeleted: false }),
    'secrets',
    'failure',
    /list-secret-version-ids/,
  ],
  [
    'a signing secret that holds no key',
    secretOf('signing-secret', { isBeingDeleted: false, value: secretValue }),
    'secrets',
    'failure',
    /Rotate the signing key/,
  ],
  [
    "a provider's key that is missing",
    secretOf('provider-secret', { isBeingDeleted: false, value: `{"pexels":"x","openai":"${secretValue}"}` }),
    'provider keys',
    'failure',
    /put-secret-value --secret-id "provider-secret" --secret-string '{"unsplash":"KEY"}'/,
  ],
  [
    'a provider secret that is no JSON',
    {
      account: {
        ...secretOf('provider-secret', { isBeingDeleted: false, value: secretValue }).account,
        functionVariables: async () => ({ [variables.generator]: '{"kind":"sandbox"}' }),
      },
    },
    'provider keys',
    'failure',
    /put-secret-value/,
  ],
  [
    'a slot without image',
    answers(to('provider=stock_b'), problem(404, 'no_image_found')),
    'slot stock_b',
    'failure',
    /providers --stack/,
  ],
  [
    'a slot that fails',
    answers(to('provider=stock_b'), problem(500, 'internal_error')),
    'slot stock_b',
    'failure',
    /aws logs tail/,
  ],
  [
    'a limit that is used up',
    answers(to('provider=stock_b'), problem(429, 'rate_limited')),
    'slot stock_b',
    'warning',
    /IMAGE_REDIRECT_KEY/,
  ],
  [
    'a key that is not valid',
    answers(to('provider=stock_b'), problem(401, 'invalid_api_key')),
    'slot stock_b',
    'failure',
    /keys create/,
  ],
  [
    'a slot for which another one answers',
    answers(
      to('provider=stock_b'),
      () => new Response(null, { status: 302, headers: { 'X-Image-Source': 'stock_a' } }),
    ),
    'slot stock_b',
    'warning',
    /providers --stack/,
  ],
  [
    'a host that does not answer',
    {
      service: async (url, headers) => {
        if (url.includes('provider=stock_b')) throw new TypeError('fetch failed');
        return healthyService()(url, headers);
      },
    },
    'slot stock_b',
    'failure',
    /DNS/,
  ],
  [
    "a generator's key that is missing",
    secretOf('provider-secret', { isBeingDeleted: false, value: `{"unsplash":"${secretValue}"}` }),
    'generator',
    'failure',
    /put-secret-value --secret-id "provider-secret" --secret-string '{"openai":"KEY"}'/,
  ],
  [
    "a generator's key that its server refuses",
    answers(to(generatorUrl), () => new Response(null, { status: 401 })),
    'generator',
    'failure',
    /put-secret-value/,
  ],
  [
    'a server that requires a key where none is configured',
    {
      ...generator({ apiKeyName: undefined }),
      service: healthyService((url) =>
        url.startsWith(generatorUrl) ? new Response(null, { status: 403 }) : undefined,
      ),
    },
    'generator',
    'failure',
    /apiKeyName/,
  ],
  [
    'a generator whose server does not answer',
    {
      service: async (url, headers) => {
        if (url.startsWith(generatorUrl)) throw new TypeError('fetch failed');
        return healthyService()(url, headers);
      },
    },
    'generator',
    'warning',
    /curl -i https:\/\/models.example.org\/v1\/models/,
  ],
  [
    'a server without a list of models',
    answers(to(generatorUrl), () => new Response(null, { status: 404 })),
    'generator',
    'warning',
    /version/,
  ],
  [
    'a model that the server does not have',
    answers(to(generatorUrl), () => Response.json({ data: [{ id: 'other' }] })),
    'generator',
    'warning',
    /generator\.model/,
  ],
  ['a stack without generator', without('GeneratorFunction'), 'generator', 'failure', /cdk deploy/],
  [
    'a generator whose settings cannot be read',
    { account: { functionVariables: () => Promise.reject(new Error('AccessDenied')) } },
    'generator',
    'warning',
    /./,
  ],
  [
    'a Bedrock model that has been retired',
    {
      account: {
        functionVariables: async () => ({ [variables.generator]: '{"kind":"bedrock-stability"}' }),
        modelLifecycle: async () => 'end_of_life',
      },
    },
    'model lifecycle',
    'failure',
    /list-foundation-models/,
  ],
  [
    "a day's ceiling that is reached",
    { account: { taken: async () => 100 } },
    'generations today',
    'failure',
    /generationsPerDay=200/,
  ],
  [
    "a day's ceiling that is nearly reached",
    { account: { taken: async () => 80 } },
    'generations today',
    'warning',
    /generationsPerDay=200/,
  ],
  [
    "an account's ceiling that is reached",
    answers(to('/api/usage'), () => Response.json({ generations: { limit: 5, used: 5 } })),
    'generations this month',
    'failure',
    /generationsPerMonth/,
  ],
  [
    "an account's ceiling that is nearly reached",
    answers(to('/api/usage'), () => Response.json({ generations: { limit: 5, used: 4 } })),
    'generations this month',
    'warning',
    /generationsPerMonth/,
  ],
  [
    'a usage report that fails',
    answers(to('/api/usage'), problem(500, 'internal_error')),
    'generations this month',
    'failure',
    /aws logs tail/,
  ],
  ['no key for a private image', { key: undefined }, 'private image', 'warning', /IMAGE_REDIRECT_KEY/],
  [
    'a generation that takes long',
    answers(to('provider=ai'), problem(503, 'generation_in_progress')),
    'private image',
    'warning',
    /again/,
  ],
  [
    'a generator that fails',
    answers(to('provider=ai'), problem(502, 'upstream_unavailable')),
    'private image',
    'failure',
    /aws logs tail/,
  ],
  [
    'a private image at a public URL',
    answers(
      to('provider=ai'),
      () =>
        new Response(null, { status: 302, headers: { Location: 'https://images.example.org/public/a.jpg' } }),
    ),
    'private image',
    'failure',
    /cdk deploy/,
  ],
  [
    'a signature that CloudFront refuses',
    answers((url) => url === signedUrl, problem(403, '')),
    'private image',
    'failure',
    /Rotate the signing key/,
  ],
  [
    'a private image that is open without signature',
    answers(
      (url) => url === signedUrl.split('?')[0],
      () => new Response('image'),
    ),
    'private image',
    'failure',
    /cdk deploy/,
  ],
  [
    'a signature that is not checked',
    answers(
      (url) => url.includes('Expires=1800003600'),
      () => new Response('image'),
    ),
    'private image',
    'failure',
    /cdk deploy/,
  ],
  [
    'a way round by %2F',
    answers(to('private%2F'), () => new Response('image')),
    'private image',
    'failure',
    /cdk deploy/,
  ],
];

test.each(cases)('%s is found', async (_, fault, check, outcome, fix) => {
  const findings = await examine(fault);
  const spoilt = findings.filter((each) => each.outcome !== 'pass');
  expect(spoilt).toEqual([{ check, outcome, found: expect.any(String), fix: expect.stringMatching(fix) }]);
});

test.each(cases)('no secret, key or signed URL is printed for %s', async (_, fault) => {
  let written = '';
  const stdout = {
    write: (text: string) => {
      written += text;
    },
  };
  const findings = await examine(fault);
  for (const isJson of [true, false])
    report(createOutput({ stdout, stderr: stdout }, isJson), stackName, findings, nowMs);
  expect(written).toContain(stackName);
  for (const secret of [secretValue, key, 'Signature=']) expect(written).not.toContain(secret);
});
