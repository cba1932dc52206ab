/** Tests that the doctor names each fault of an account or a stack, and what fixes it. */

import type { AwsAccount } from '../../../cli/doctor/account';
import { type Finding, runChecks } from '../../../cli/doctor/checks';
import { reportFindings } from '../../../cli/doctor/doctor';
import { readStage } from '../../../lib/stage';
import { expectRefusal, runTool } from '../run-tool';

const region = 'eu-west-1';
const generator = '{"kind":"bedrock-stability","modelId":"eu.stability.m-v1:0","region":"eu-north-1"}';
const stage = readStage({ stage: 'prod', generator });
const stack = {
  status: 'UPDATE_COMPLETE',
  outputs: {
    ApiUrl: 'https://api.example.org',
    StockProviders: JSON.stringify({
      SLOT_BINDINGS: '{"stock_a":"unsplash","stock_b":"sandbox","stock_c":"sandbox"}',
      PROVIDER_SECRET_ID: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:keys',
    }),
  },
};
const alarm = { AlarmName: 'Faults', AlarmActions: ['topic'], StateValue: 'OK' as const };
const model = { lacks: [] };

/** Creates an account in which everything is as it should be, but for some changes. */
const createAccount = (changes: Partial<AwsAccount> = {}): AwsAccount => ({
  readAccountId: async () => '123456789012',
  findStack: async () => stack,
  readExecutionQuota: async () => ({ ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 }),
  readModelAccess: async () => model,
  listAlarms: async () => [alarm],
  readSecretText: async () => '{"unsplash":"a-secret-key"}',
  ...changes,
});

const makeModelChange = (changes: { readonly lacks: string[] }) => ({ readModelAccess: async () => changes });
const makeStackChange = (changes: object) => ({ findStack: async () => ({ ...stack, ...changes }) });

type Send = (url: string, headers?: object) => Promise<Response>;

/** Responds with an image of the requested source, and with its file. */
const serveImage: Send = async (url) => {
  const { pathname, searchParams } = new URL(url);
  if (pathname.startsWith('/file')) return new Response('bytes');
  const source = searchParams.get('provider') ?? '';
  const headers = { Location: 'https://images.example.org/file', 'X-Image-Source': source };
  return new Response('{}', { status: 302, headers });
};
const createRefusal =
  (status: number, code = 'no_image_found'): Send =>
  async () =>
    Response.json({ code, requestId: 'r-1' }, { status });

const checkAccount = (changes?: Partial<AwsAccount>) => runChecks(createAccount(changes), region, stage);
const checkStack = (changes?: Partial<AwsAccount>, send = serveImage, key?: string) => {
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation((url, options) => send(String(url), options?.headers ?? {}));
  return runChecks(createAccount(changes), region, { stack: 'ImageRedirect-prod', key });
};
afterEach(() => jest.restoreAllMocks());

const writeFindings = (findings: readonly Finding[]) =>
  findings.map(({ check, outcome, found, fix }) => `${outcome} ${check}: ${found}${fix ? ` | ${fix}` : ''}`);
const listFaults = (findings: readonly Finding[]) =>
  writeFindings(findings.filter(({ outcome }) => outcome !== 'pass'));
const listChecks = (findings: readonly Finding[]) => findings.map(({ check }) => check);

test('an account that is ready passes all checks before a deployment', async () => {
  const findings = await checkAccount();
  expect(listFaults(findings)).toEqual([]);
  expect(listChecks(findings)).toEqual(['credentials', 'executions', 'model']);
});

const denied = Object.assign(new Error('is not authorized to perform: lambda:GetAccountSettings'), {
  name: 'AccessDeniedException',
});

test.each<[string, Partial<AwsAccount>, RegExp | undefined]>([
  [
    'credentials that are refused',
    { readAccountId: () => Promise.reject(denied) },
    /^failure credentials: AWS does not allow it/,
  ],
  ['an unknown model', { readModelAccess: async () => undefined }, /^failure model: .* is not offered/],
  [
    'a model without agreement',
    makeModelChange({ lacks: ['agreement'] }),
    /^warning model: .*no agreement for .*invoke-model/,
  ],
  ...['region', 'authorization'].map((lacked): [string, Partial<AwsAccount>, RegExp] => [
    `a model without ${lacked}`,
    makeModelChange({ lacks: [lacked, 'agreement'] }),
    new RegExp(`^failure model: no ${lacked}, agreement for .*generator\\.region`),
  ]),
  [
    'an unreadable part',
    { readExecutionQuota: () => Promise.reject(denied) },
    /^warning executions: could not be checked: .*lambda:GetAccountSettings/,
  ],
  ['the least executions', { readExecutionQuota: async () => ({ ConcurrentExecutions: 50 }) }, undefined],
  [
    'one execution less',
    { readExecutionQuota: async () => ({ ConcurrentExecutions: 49 }) },
    /^warning executions: 49 at once carry 245 requests a second.*L-B99A9384/,
  ],
])('before a deployment, the doctor judges %s', async (_, changes, expected) => {
  const found = listFaults(await checkAccount(changes));
  expect(found).toEqual(expected ? [expect.stringMatching(expected)] : []);
});

test('the doctor asks for a model by its foundation id in the region of the setting', async () => {
  const modelCalls: string[][] = [];
  await checkAccount({
    readModelAccess: async (...args) => {
      modelCalls.push(args);
      return model;
    },
  });
  expect(modelCalls).toEqual([['stability.m-v1:0', 'eu-north-1']]);
});

test.each([
  ['CREATE_COMPLETE', 'pass'],
  ['IMPORT_COMPLETE', 'pass'],
  ['UPDATE_ROLLBACK_FAILED', 'failure'],
  ['UPDATE_IN_PROGRESS', 'failure'],
])('the check of a stack in the status %s is a %s', async (status, outcome) => {
  expect(await checkStack(makeStackChange({ status }))).toContainEqual(
    expect.objectContaining({ check: 'stack', outcome }),
  );
});

test('a stack that serves passes all checks after a deployment', async () => {
  const findings = await checkStack({}, serveImage, 'pk_test_secret');
  expect(listFaults(findings)).toEqual([]);
  expect(listChecks(findings)).toEqual([
    ...['credentials', 'stack', 'alarms', 'provider keys'],
    ...['slot stock_a', 'slot stock_b', 'slot stock_c', 'AI image'],
  ]);
});

test.each<[string, Partial<AwsAccount>, Send, RegExp]>([
  ['no stack', { findStack: async () => undefined }, serveImage, /^failure stack: There is no stack/],
  [
    'another stack',
    makeStackChange({ outputs: {} }),
    serveImage,
    /^failure stack: it is no image redirect service/,
  ],
  [
    'a deployment that was rolled back',
    makeStackChange({ status: 'UPDATE_ROLLBACK_COMPLETE' }),
    serveImage,
    /^warning stack.*npx cdk deploy ImageRedirect-prod -c stage=prod\./,
  ],
  [
    'an alarm that is on',
    { listAlarms: async () => [{ ...alarm, StateValue: 'ALARM' }] },
    serveImage,
    /^failure alarms: Faults is on/,
  ],
  [
    'alarms that notify nobody',
    { listAlarms: async () => [{ ...alarm, AlarmActions: [] }] },
    serveImage,
    /^warning alarms: 1 alarm.* notifies anybody.*alarmEmail/,
  ],
  [
    'a key that is not set',
    { readSecretText: async () => '{}' },
    serveImage,
    /^failure provider keys: unsplash not set \| .*put-secret-value.*get-secret-value.*"unsplash":"KEY"/,
  ],
  [
    'no image',
    {},
    createRefusal(404),
    /^failure slot stock_a: answered with 404 no_image_found \(request r-1\) \| npm run image-redirect -- providers/,
  ],
  ['a fault', {}, createRefusal(500), /^failure slot stock_a: answered with 500.*aws logs tail/],
  ['a limit', {}, createRefusal(429), /^warning slot stock_a: answered with 429/],
  [
    'a slow model',
    {},
    createRefusal(503, 'generation_in_progress'),
    /^warning AI image: answered with 503 generation_in_progress .* run doctor again/,
  ],
  [
    'no answer',
    {},
    () => Promise.reject(new Error('ENOTFOUND')),
    /^failure slot stock_a: https:\/\/api\.example\.org does not answer/,
  ],
  [
    'another provider',
    {},
    (url) => serveImage(url.replace('provider=stock_a', 'provider=stock_b')),
    /^warning slot stock_a: stock_b answered in its place/,
  ],
  [
    'no file',
    {},
    (url) => (url.includes('/file') ? createRefusal(403)(url) : serveImage(url)),
    /^failure slot stock_a: its file is answered with 403/,
  ],
])('after a deployment, the doctor reports %s', async (_, changes, send, expected) => {
  const findings = await checkStack(changes, send, 'pk_test_secret');
  expect(listFaults(findings)).toContainEqual(expect.stringMatching(expected));
  const { json, text } = reportFindings('stack x', findings);
  expect(`${JSON.stringify(json)}${text}`).not.toMatch(/a-secret-key|pk_test_secret/);
});

test.each([
  ['ImageRedirect-dev', '-c stage=dev'],
  ['ImageRedirect-eu-west-prod', '-c stage=prod -c installation=eu-west'],
])('the fix for the missing stack %s is its deployment with %s', async (name, options) => {
  const [, missing] = await runChecks(createAccount({ findStack: async () => undefined }), region, {
    stack: name,
    key: undefined,
  });
  expect(missing).toMatchObject({ check: 'stack', fix: `npx cdk deploy ${name} ${options}` });
});

test.each([
  {
    key: 'pk_test_secret',
    headers: { 'X-API-Key': 'pk_test_secret' },
    sources: ['stock_a', 'stock_b', 'stock_c', 'ai'],
  },
  { key: undefined, headers: {}, sources: ['stock_a'] },
])('the doctor sends its key to the service alone: $key', async ({ key, headers, sources }) => {
  const sent: unknown[] = [];
  const send: Send = (url, sentHeaders) => {
    sent.push([new URL(url).host, sentHeaders]);
    return serveImage(url);
  };
  const findings = await checkStack({}, send, key);
  const unchecked = key ? [] : ['slot stock_b', 'slot stock_c', 'AI image'];
  expect(listFaults(findings)).toEqual(
    unchecked.map((check) => expect.stringMatching(`^warning ${check}: not checked.*keys -- create`)),
  );
  const requests = sources.flatMap(() => [
    ['api.example.org', headers],
    ['images.example.org', {}],
  ]);
  expect(sent.sort()).toEqual(requests.sort());
});

test('the report has each finding with its fix, and a count of each outcome', async () => {
  const findings = await checkAccount({ readModelAccess: async () => undefined });
  const { text, json, hasFailed } = reportFindings('the account', findings);
  expect(json).toMatchObject({ passes: 2, warnings: 0, failures: 1, findings: expect.any(Array) });
  expect(hasFailed).toBe(true);
  expect(text).toMatch(/\nFAILURE {2}model: .*\n {9}aws bedrock .*\n\n2 passed, 0 warnings, 1 failure$/);
  expect(reportFindings('the account', await checkAccount()).hasFailed).toBe(false);
});

test('the doctor refuses an unknown stage', async () => {
  expectRefusal(await runTool(['doctor', '--stage', 'test'], { cwd: __dirname }), 2, 'dev, prod');
});
