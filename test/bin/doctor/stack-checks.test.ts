/** After a deployment: a healthy stack passes, each fault alone is found with what mends it, and no secret is printed. */

import type { Account, StackFacts } from '../../../bin/doctor/account';
import type { Ask } from '../../../bin/doctor/check-service';
import { examineStack } from '../../../bin/doctor/examine';
import { report } from '../../../bin/doctor/report';
import { createOutput } from '../../../bin/operator/output';
import { outputs } from '../../../lambda/contract/outputs';
import {
  deployedStack,
  healthyService,
  healthyStack,
  key,
  nowMs,
  resources,
  secretValue,
  signedUrl,
  stackName,
} from './healthy-account';

interface Fault {
  readonly account?: Partial<Account>;
  readonly service?: Ask;
  readonly key?: string | undefined;
}

const examine = (fault: Fault) =>
  examineStack(
    healthyStack(fault.account),
    stackName,
    fault.service ?? healthyService(),
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
const outputless: StackFacts = {
  ...deployedStack,
  outputs: { ...deployedStack.outputs, [outputs.lookupCacheTable]: '' },
};

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
      'slot stock_a',
      'slot stock_b',
      'slot stock_c',
      'private image',
    ].map((check) => `${check}: pass`),
  );
});

type Case = readonly [fault: string, Fault, check: string, outcome: 'warning' | 'failure', mend: RegExp];
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
    secretOf('provider-secret', { isBeingDeleted: false, value: '{"pexels":"x"}' }),
    'provider keys',
    'failure',
    /put-secret-value --secret-id "provider-secret" --secret-string '{"unsplash":"KEY"}'/,
  ],
  [
    'a provider secret that is no JSON',
    secretOf('provider-secret', { isBeingDeleted: false, value: secretValue }),
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
      service: async (url) => {
        if (url.includes('provider=stock_b')) throw new TypeError('fetch failed');
        return healthyService()(url);
      },
    },
    'slot stock_b',
    'failure',
    /DNS/,
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

test.each(cases)('%s is found', async (_, fault, check, outcome, mend) => {
  const findings = await examine(fault);
  const spoilt = findings.filter((each) => each.outcome !== 'pass');
  expect(spoilt).toEqual([{ check, outcome, found: expect.any(String), mend: expect.stringMatching(mend) }]);
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
