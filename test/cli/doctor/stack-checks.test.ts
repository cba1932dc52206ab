/** After a deployment: a healthy stack passes, each fault alone is found with what fixes it, and no secret is printed. */

import type { Account } from '../../../cli/doctor/account';
import { deployAgain } from '../../../cli/doctor/check';
import { report } from '../../../cli/doctor/doctor';
import { examineStack } from '../../../cli/doctor/examine';
import { keyAndServer } from '../../../cli/doctor/model-checks';
import type { Send } from '../../../cli/doctor/stack-checks';
import { createOutput } from '../../../cli/output';
import type { StackFacts } from '../../../cli/service';
import { variables } from '../../../lambda/contract/environment';
import { outputs } from '../../../lambda/contract/outputs';
import {
  type Answers,
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
  verdictOf,
} from './healthy-account';

interface Fault {
  readonly account?: Answers;
  readonly service?: Send;
  readonly key?: string | undefined;
}

const examine = (fault: Fault, name = stackName) =>
  examineStack(
    healthyStack(fault.account),
    name,
    fault.service ?? healthyService(),
    nowMs,
    'key' in fault ? fault.key : key,
  );

const state = (status: string): Fault => ({ account: { stack: { ...deployedStack, status } } });
const without = (logicalId: string): Fault => ({
  account: { resources: resources.filter((each) => each.logicalId !== logicalId) },
});
const topic = (changes: Partial<Awaited<ReturnType<Account['topic']>>>): Fault => {
  return { account: { topic: async (arn) => ({ ...(await healthy.topic(arn)), ...changes }) } };
};
/** A stack with a resource more. */
const withAlso = (type: string, physicalId: string) => [
  ...resources,
  { type, logicalId: 'SecondResource', physicalId },
];
/** Of two alarms, the second one is changed. */
const alarm = (changes: object) => ({
  resources: withAlso('AWS::CloudWatch::Alarm', 'second'),
  alarms: async (names: readonly string[]) =>
    names.map((name) => ({
      name,
      isEnabled: true,
      actions: ['arn:first'],
      ...(name === 'second' && changes),
    })),
});
const healthy = healthyStack();
const secretOf = (wanted: string, facts: Awaited<ReturnType<Account['secret']>>): Fault => ({
  account: { secret: async (id) => (id === wanted ? facts : healthy.secret(id)) },
});
const answers = (when: (url: string) => boolean, answer: () => Response): Fault => ({
  service: healthyService((url) => (when(url) ? answer() : undefined)),
});
const to = (part: string) => (url: string) => url.includes(part);
const slotB = (answer: () => Response) => answers(to('provider=stock_b'), answer);
const privateImage = (answer: () => Response) => answers(to('provider=ai'), answer);
const image = () => new Response('image');
const unreachable = (): Response => {
  throw new TypeError('fetch failed');
};
const problem = (status: number, code: string) => () => Response.json({ code }, { status });
/** Of two tables, the one of keys is changed. */
const safety = (changes: object): Fault => ({
  account: {
    tableSafety: async (name) => ({
      ...(await healthy.tableSafety(name)),
      ...(name === 'keys' && changes),
    }),
  },
});
/** A stack with a distribution before the API: the age of the documentation page. */
const behindEdge = (age: string | undefined): Fault => ({
  account: {
    stack: {
      ...deployedStack,
      outputs: { ...deployedStack.outputs, [outputs.edgeDistribution]: 'EDGE' },
    },
  },
  service: healthyService((url) =>
    url.endsWith('.org/') ? new Response('page', { headers: age ? { age } : {} }) : undefined,
  ),
});

test('a distribution that caches passes', async () => {
  const findings = await examine(behindEdge('5'));
  expect(findings.find(({ check }) => check === 'edge')).toMatchObject({ outcome: 'pass' });
});

const generator = (changes: object): Fault => ({
  account: {
    functionVariables: {
      [variables.generator]: JSON.stringify({ ...openAiGenerator, ...changes }),
    },
  },
});
const outputless: StackFacts = {
  ...deployedStack,
  outputs: { ...deployedStack.outputs, [outputs.cacheTable]: '' },
};

test('resources that cannot be listed end no other check', async () => {
  const message = 'User x is not authorized to perform: cloudformation:ListStackResources';
  const error = Object.assign(new Error(message), { name: 'AccessDenied' });
  const findings = await examine({ account: { resources: () => Promise.reject(error) } });
  const healthy = await examine({});
  expect(findings.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(5);
  const unread = findings.filter(({ found }) => found.includes('cloudformation:ListStackResources'));
  expect(unread.map(({ check }) => check)).toEqual(['alarms', 'secrets', 'generator']);
  expect(findings.map(({ check }) => check)).toEqual(healthy.map(({ check }) => check));
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
      'tables',
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
      functionVariables: { [variables.generator]: JSON.stringify(settings) },
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
      secret: { isBeingDeleted: false, ...(secret === undefined ? {} : { value: secret }) },
    });
    const send = () => Promise.reject(new Error('It is not called'));
    const secretId = secret === undefined ? undefined : 'the-secret';
    expect(await keyAndServer({ account, send }, { keyName: 'other' }, secretId)).toMatchObject(verdict);
  },
);

test('a stack without a ceiling on generations reads no counter', async () => {
  const off = { ...deployedStack, outputs: { ...deployedStack.outputs, [outputs.generationsPerDay]: 'off' } };
  const used = () => Promise.reject(new Error('It is not called'));
  const findings = await examine({ account: { stack: off, used } });
  expect(findings.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
});

const passing: readonly (readonly [string, string, Fault, string?])[] = [
  ...['CREATE', 'UPDATE', 'IMPORT'].map(
    (done) => ['stack', `${done}_COMPLETE`, state(`${done}_COMPLETE`)] as const,
  ),
  ['alarms', 'one subscription, though another is not confirmed', topic({ confirmed: 1, pending: 1 })],
  ['generations today', 'less than four fifths of the ceiling', { account: { used: 79 } }],
  ['generator', 'a list of models in another form', answers(to(generatorUrl), () => Response.json([]))],
  ['generations this month', 'a key without a ceiling', answers(to('/api/usage'), () => Response.json({}))],
];

test.each(passing.map(([check, about, fault, name]) => ({ check, about, fault, name })))(
  '$check: $about passes',
  async ({ check, fault, name }) => {
    const findings = await examine(fault, name);
    expect(findings.find((each) => each.check === check)).toMatchObject({ outcome: 'pass' });
  },
);

/** What is found, as the outcome and a part of the fix, where one thing of a healthy stack is changed. */
type Case = readonly [Fault, found: string];
const cases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  stack: {
    'no stack': [
      { account: { stack: undefined } },
      'failure: cdk deploy ImageRedirect-prod | there is no stack ImageRedirect-prod in us-east-1',
    ],
    'a stack that cannot be read': [
      { account: { stack: () => Promise.reject(new Error('no')) } },
      'failure: --profile',
    ],
    'a deployment that runs': [state('UPDATE_IN_PROGRESS'), 'warning: Wait | UPDATE_IN_PROGRESS'],
    'a deployment that was rolled back': [state('UPDATE_ROLLBACK_COMPLETE'), 'warning: cdk deploy'],
    'a stuck rollback': [state('UPDATE_ROLLBACK_FAILED'), 'failure: continue-update-rollback'],
    'a failed deployment': [state('ROLLBACK_COMPLETE'), 'failure: describe-stack-events'],
  },
  outputs: {
    'a missing output': [{ account: { stack: outputless } }, `failure: cdk deploy | ${outputs.cacheTable}`],
  },
  alarms: {
    'no alarms': [without('ThrottlesAlarm'), 'failure: cdk deploy'],
    'a deleted alarm': [
      { account: { ...alarm({}), alarms: [{ name: 'throttles', isEnabled: true, actions: ['arn:first'] }] } },
      'failure: cdk deploy | second deleted',
    ],
    'alarms that are off': [
      { account: alarm({ isEnabled: false }) },
      'failure: enable-alarm-actions --alarm-names second',
    ],
    'alarms that notify nothing': [
      { account: alarm({ actions: [] }) },
      'warning: alarmEmail | 1 of 2 alarms notify nothing',
    ],
    'a topic that alarms may not publish to': [topic({ policy: '{"Statement":[]}' }), 'failure: cdk deploy'],
    'a topic that refuses alarms by name': [
      topic({
        policy: JSON.stringify({
          Statement: {
            Effect: 'Deny',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: 'sns:Publish',
          },
        }),
      }),
      'failure: cdk deploy',
    ],
    'a topic without subscription': [topic({ confirmed: 0 }), 'failure: sns subscribe --topic-arn'],
    'one topic of several without subscription': [
      {
        account: {
          ...alarm({ actions: ['arn:second'] }),
          topic: async (arn) => ({ ...(await healthy.topic(arn)), confirmed: arn === 'arn:second' ? 0 : 1 }),
        },
      },
      'failure: sns subscribe --topic-arn arn:second',
    ],
    'a subscription that is not confirmed': [topic({ confirmed: 0, pending: 1 }), 'warning: Confirmation'],
  },
  tables: {
    'a table without recovery': [
      safety({ isRecoverable: false }),
      'failure: update-continuous-backups --table-name keys | apiKeys has no point-in-time recovery',
    ],
    'a table whose items stay': [
      safety({ expires: false }),
      'failure: update-time-to-live --table-name keys | the items of apiKeys do not expire',
    ],
  },
  edge: {
    'a distribution that caches nothing': [behindEdge(undefined), 'warning: Run doctor again'],
  },
  secrets: {
    'a secret that is being deleted': [
      secretOf('signing-secret', { isBeingDeleted: true }),
      'failure: restore-secret --secret-id signing-secret | SigningSecretV1 is being deleted',
    ],
    'one secret of several that is being deleted': [
      {
        account: {
          resources: withAlso('AWS::SecretsManager::Secret', 'second'),
          secret: async (id) => ({ ...(await healthy.secret(id)), isBeingDeleted: id === 'second' }),
        },
      },
      'failure: restore-secret --secret-id second',
    ],
    'a secret without value': [
      secretOf('signing-secret', { isBeingDeleted: false }),
      'failure: list-secret-version-ids',
    ],
    'a signing secret that holds no key': [
      secretOf('signing-secret', { isBeingDeleted: false, value: secretValue }),
      'failure: Rotate the signing key',
    ],
  },
  'provider keys': {
    "a provider's key that is empty": [
      secretOf('provider-secret', {
        isBeingDeleted: false,
        value: `{"unsplash":"","openai":"${secretValue}"}`,
      }),
      'failure: put-secret-value',
    ],
    "a provider's key that is missing": [
      secretOf('provider-secret', {
        isBeingDeleted: false,
        value: `{"pexels":"x","openai":"${secretValue}"}`,
      }),
      `failure: put-secret-value --secret-id "provider-secret" --secret-string '{"unsplash":"KEY"}'`,
    ],
    'a provider secret that is no JSON': [
      {
        account: {
          ...secretOf('provider-secret', { isBeingDeleted: false, value: secretValue }).account,
          functionVariables: { [variables.generator]: '{"kind":"sandbox"}' },
        },
      },
      'failure: put-secret-value',
    ],
  },
  'slot stock_b': {
    'a slot without image': [slotB(problem(404, 'no_image_found')), 'failure: providers --stack'],
    'a slot that fails': [slotB(problem(500, 'internal_error')), 'failure: aws logs tail'],
    'a limit that is used up': [slotB(problem(429, 'rate_limited')), 'warning: IMAGE_REDIRECT_KEY'],
    'a key that is not valid': [slotB(problem(401, 'invalid_api_key')), 'failure: keys -- create'],
    'a slot for which another one answers': [
      slotB(() => new Response(null, { status: 302, headers: { 'X-Image-Source': 'stock_a' } })),
      'warning: providers --stack',
    ],
    'a host that does not answer': [slotB(unreachable), 'failure: DNS'],
  },
  generator: {
    "a generator's key that is missing": [
      secretOf('provider-secret', { isBeingDeleted: false, value: `{"unsplash":"${secretValue}"}` }),
      `failure: put-secret-value --secret-id "provider-secret" --secret-string '{"openai":"KEY"}'`,
    ],
    "a generator's key that its server refuses": [
      answers(to(generatorUrl), () => new Response(null, { status: 401 })),
      'failure: put-secret-value',
    ],
    "a generator's key that its server forbids": [
      answers(to(generatorUrl), () => new Response(null, { status: 403 })),
      'failure: put-secret-value',
    ],
    'a server that requires a key where none is configured': [
      { ...generator({ apiKeyName: undefined }), ...answers(to(generatorUrl), problem(403, '')) },
      'failure: apiKeyName',
    ],
    'a generator whose server does not answer': [
      answers(to(generatorUrl), unreachable),
      'warning: curl -i https://models.example.org/v1/models',
    ],
    'a server without a list of models': [
      answers(to(generatorUrl), () => new Response(null, { status: 404 })),
      'warning: version',
    ],
    'a model that the server does not have': [
      answers(to(generatorUrl), () => Response.json({ data: [{ id: 'other' }] })),
      'warning: generator.model',
    ],
    'a stack without generator': [without('GeneratorFunction'), 'failure: cdk deploy'],
    'a generator whose settings cannot be read': [
      { account: { functionVariables: () => Promise.reject(new Error('AccessDenied')) } },
      'warning: ',
    ],
  },
  'model lifecycle': {
    'a Bedrock model that has been retired': [
      {
        account: {
          functionVariables: { [variables.generator]: '{"kind":"bedrock-stability"}' },
          modelLifecycle: 'end_of_life',
        },
      },
      'failure: list-foundation-models',
    ],
  },
  'generations today': {
    "a day's ceiling that is reached": [
      { account: { used: 100 } },
      'failure: generationsPerDay=200 | 100 of 100 images: generation is paused until 2026-11-22T00:00:00Z',
    ],
    "a day's ceiling that is nearly reached": [
      { account: { used: 80 } },
      'warning: generationsPerDay=200 | 80 of 100 images',
    ],
  },
  'generations this month': {
    "an account's ceiling that is reached": [
      answers(to('/api/usage'), () => Response.json({ generations: { limit: 5, used: 5 } })),
      'failure: generationsPerMonth',
    ],
    "an account's ceiling that is nearly reached": [
      answers(to('/api/usage'), () => Response.json({ generations: { limit: 5, used: 4 } })),
      'warning: generationsPerMonth',
    ],
    'a usage report that fails': [
      answers(to('/api/usage'), problem(500, 'internal_error')),
      'failure: aws logs tail',
    ],
  },
  'private image': {
    'no key for a private image': [{ key: undefined }, 'warning: IMAGE_REDIRECT_KEY'],
    'a generation that takes long': [privateImage(problem(503, 'generation_in_progress')), 'warning: again'],
    'a generator that fails': [privateImage(problem(502, 'upstream_unavailable')), 'failure: aws logs tail'],
    'a private image at a public URL': [
      privateImage(() => Response.redirect('https://images.example.org/public/a.jpg')),
      'failure: cdk deploy',
    ],
    'a signature that CloudFront refuses': [
      answers((url) => url === signedUrl, problem(403, '')),
      'failure: Rotate the signing key',
    ],
    'a private image that is open without signature': [
      answers((url) => url === signedUrl.split('?')[0], image),
      'failure: cdk deploy | 403 without a signature',
    ],
    'a private image that fails without signature, and so may be open': [
      answers((url) => url === signedUrl.split('?')[0], problem(502, '')),
      'failure: cdk deploy | 403 without a signature',
    ],
    'a signature that is not checked': [
      answers(to('Expires=1800003600'), image),
      'failure: cdk deploy | 403 with another expiry',
    ],
    'a way round by %2F': [answers(to('private%2F'), image), 'failure: cdk deploy | 403 with %2F'],
    'a distribution that does not answer': [
      answers(to('images.example.org/private'), unreachable),
      'failure: imageDomain | https://images.example.org does not answer',
    ],
  },
};

test('the key is sent to the API alone', async () => {
  const sent: [url: string, key: string | undefined][] = [];
  const service = healthyService();
  await examine({
    service: (url, headers) => {
      sent.push([new URL(url).hostname, headers?.['X-API-Key']]);
      return service(url, headers);
    },
  });
  const to = (host: string) => new Set(sent.filter(([name]) => name === host).map(([, given]) => given));
  expect([to('api.example.org').has(key), to('images.example.org')]).toEqual([true, new Set([undefined])]);
});

test('a stack whose outputs name no service is sent nothing', async () => {
  const sent: string[] = [];
  const { [outputs.apiUrl]: _, ...others } = deployedStack.outputs;
  const findings = await examine({
    account: { stack: { ...deployedStack, outputs: others } },
    service: async (url) => {
      sent.push(url);
      return Response.json({});
    },
  });
  expect(sent.filter((url) => !url.startsWith(generatorUrl))).toEqual([]);
  expect(findings.filter(({ check }) => check.startsWith('slot'))).toEqual([]);
});

test('the command that deploys again names the stage and the installation', () => {
  expect(deployAgain({ name: 'ImageRedirect-prod' })).toBe('npx cdk deploy ImageRedirect-prod -c stage=prod');
  expect(deployAgain({ name: 'ImageRedirect-web-shop-dev' })).toBe(
    'npx cdk deploy ImageRedirect-web-shop-dev -c stage=dev -c installation=web-shop',
  );
});

const rows = Object.entries(cases).flatMap(([check, own]) =>
  Object.entries(own).map(([title, [fault, found]]) => ({ title, fault, check, found })),
);

test.each(rows)('$title is found, and no secret is printed', async ({ fault, check, found }) => {
  const findings = await examine(fault);
  const spoilt = findings.filter(({ outcome }) => outcome !== 'pass');
  expect(spoilt.map((each) => [each.check, each.outcome, each.fix, each.found])).toEqual([
    [check, ...verdictOf(found)],
  ]);
  let written = '';
  const stdout = { write: (text: string) => (written += text) };
  for (const isJson of [true, false])
    report(createOutput({ stdout, stderr: stdout }, isJson), stackName, findings, nowMs);
  expect(written).toContain(stackName);
  for (const secret of [secretValue, key, 'Signature=']) expect(written).not.toContain(secret);
});
