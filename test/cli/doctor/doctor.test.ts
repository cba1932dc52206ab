/** Tests that the doctor names each fault of an account or a stack, and what fixes it. */

import type { Account } from '../../../cli/doctor/account';
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

/** An account in which everything is as it should be, but for what is given. */
const accountWith = (changes: Partial<Account> = {}): Account => ({
  readAccountId: async () => '123456789012',
  describeStack: async () => stack,
  readExecutions: async () => ({ ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 }),
  readModelAccess: async () => model,
  listAlarms: async () => [alarm],
  readSecret: async () => '{"unsplash":"a-secret-key"}',
  ...changes,
});

const modelWith = (changes: { readonly lacks: string[] }) => ({ readModelAccess: async () => changes });
const stacked = (changes: object) => ({ describeStack: async () => ({ ...stack, ...changes }) });

type Send = (url: string, headers?: object) => Promise<Response>;

/** Serves the slot or the AI image that is asked for. */
const serving: Send = async (url) => {
  const { pathname, searchParams } = new URL(url);
  if (pathname.startsWith('/file')) return new Response('bytes');
  const source = searchParams.get('provider') ?? '';
  const headers = { Location: 'https://images.example.org/file', 'X-Image-Source': source };
  return new Response('{}', { status: 302, headers });
};
const answering =
  (status: number): Send =>
  async () =>
    new Response('{"code":"no_image_found","requestId":"r-1"}', { status });

const before = (changes?: Partial<Account>) => runChecks(accountWith(changes), region, stage);
const after = (changes?: Partial<Account>, send = serving, key: string | undefined = 'pk_test_secret') =>
  runChecks(accountWith(changes), region, { stack: 'ImageRedirect-prod', key }, (url, options) =>
    send(String(url), options?.headers),
  );

const words = (findings: readonly Finding[]) =>
  findings.map(({ check, outcome, found, fix }) => `${outcome} ${check}: ${found}${fix ? ` | ${fix}` : ''}`);
const faults = (findings: readonly Finding[]) => words(findings.filter(({ outcome }) => outcome !== 'pass'));
const checksOf = (findings: readonly Finding[]) => findings.map(({ check }) => check);

test('an account that is ready passes all checks before a deployment', async () => {
  const findings = await before();
  expect(faults(findings)).toEqual([]);
  expect(checksOf(findings)).toEqual(['credentials', 'executions', 'model']);
});

const denied = Object.assign(new Error('is not authorized to perform: lambda:GetAccountSettings'), {
  name: 'AccessDeniedException',
});

test.each<[string, Partial<Account>, RegExp | undefined]>([
  [
    'credentials that are refused',
    { readAccountId: () => Promise.reject(denied) },
    /^failure credentials: AWS does not allow it/,
  ],
  ['an unknown model', { readModelAccess: async () => undefined }, /^failure model: .* is not offered/],
  [
    'a model without agreement',
    modelWith({ lacks: ['agreement'] }),
    /^warning model: .*no agreement for .*invoke-model/,
  ],
  ...['region', 'authorization'].map((lacked): [string, Partial<Account>, RegExp] => [
    `a model without ${lacked}`,
    modelWith({ lacks: [lacked, 'agreement'] }),
    new RegExp(`^failure model: no ${lacked}, agreement for .*generator\\.region`),
  ]),
  [
    'an unreadable part',
    { readExecutions: () => Promise.reject(denied) },
    /^warning executions: could not be checked: .*lambda:GetAccountSettings/,
  ],
  ['the least executions', { readExecutions: async () => ({ ConcurrentExecutions: 50 }) }, undefined],
  [
    'one execution less',
    { readExecutions: async () => ({ ConcurrentExecutions: 49 }) },
    /^warning executions: 49 at once carry 245 requests a second.*L-B99A9384/,
  ],
])('before a deployment, the doctor judges %s', async (_, changes, expected) => {
  const found = faults(await before(changes));
  expect(found).toEqual(expected ? [expect.stringMatching(expected)] : []);
});

test('the doctor asks for a model by its foundation id in the region of the setting', async () => {
  const asked: string[][] = [];
  await before({
    readModelAccess: async (...args) => {
      asked.push(args);
      return model;
    },
  });
  expect(asked).toEqual([['stability.m-v1:0', 'eu-north-1']]);
});

test.each([
  ['CREATE_COMPLETE', 'pass'],
  ['IMPORT_COMPLETE', 'pass'],
  ['UPDATE_ROLLBACK_FAILED', 'failure'],
  ['UPDATE_IN_PROGRESS', 'failure'],
])('the check of a stack in the status %s is a %s', async (status, outcome) => {
  expect(await after(stacked({ status }))).toContainEqual(
    expect.objectContaining({ check: 'stack', outcome }),
  );
});

test('a stack that serves passes all checks after a deployment', async () => {
  const findings = await after();
  expect(faults(findings)).toEqual([]);
  expect(checksOf(findings)).toEqual([
    ...['credentials', 'stack', 'alarms', 'provider keys'],
    ...['slot stock_a', 'slot stock_b', 'slot stock_c', 'AI image'],
  ]);
});

test.each<[string, Partial<Account>, Send, RegExp]>([
  ['no stack', { describeStack: async () => undefined }, serving, /^failure stack: There is no stack/],
  ['another stack', stacked({ outputs: {} }), serving, /^failure stack: it is no image redirect service/],
  [
    'a deployment that was rolled back',
    stacked({ status: 'UPDATE_ROLLBACK_COMPLETE' }),
    serving,
    /^warning stack.*npx cdk deploy ImageRedirect-prod -c stage=prod\./,
  ],
  [
    'an alarm that is on',
    { listAlarms: async () => [{ ...alarm, StateValue: 'ALARM' }] },
    serving,
    /^failure alarms: Faults is on/,
  ],
  [
    'alarms that notify nobody',
    { listAlarms: async () => [{ ...alarm, AlarmActions: [] }] },
    serving,
    /^warning alarms: 1 alarm.* notifies anybody.*alarmEmail/,
  ],
  [
    'a key that is not set',
    { readSecret: async () => '{}' },
    serving,
    /^failure provider keys: unsplash not set \| .*put-secret-value.*get-secret-value.*"unsplash":"KEY"/,
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
])('after a deployment, the doctor reports %s', async (_, changes, send, expected) => {
  const findings = await after(changes, send);
  expect(faults(findings)).toContainEqual(expect.stringMatching(expected));
  const { json, text } = reportFindings('stack x', findings);
  expect(`${JSON.stringify(json)}${text}`).not.toMatch(/a-secret-key|pk_test_secret/);
});

test.each([
  ['ImageRedirect-dev', '-c stage=dev'],
  ['ImageRedirect-eu-west-prod', '-c stage=prod -c installation=eu-west'],
])('the fix for the missing stack %s is its deployment with %s', async (name, options) => {
  const [, missing] = await runChecks(accountWith({ describeStack: async () => undefined }), region, {
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
  const send: typeof fetch = (url, options) => {
    sent.push([new URL(String(url)).host, options?.headers]);
    return serving(String(url));
  };
  const found = await runChecks(accountWith(), region, { stack: 'ImageRedirect-prod', key }, send);
  const unchecked = key ? [] : ['slot stock_b', 'slot stock_c', 'AI image'];
  expect(faults(found)).toEqual(
    unchecked.map((check) => expect.stringMatching(`^warning ${check}: not checked.*keys -- create`)),
  );
  const requests = sources.flatMap(() => [
    ['api.example.org', headers],
    ['images.example.org', {}],
  ]);
  expect(sent.sort()).toEqual(requests.sort());
});

test('reportFindings prints each finding with its fix', async () => {
  const findings = await before({ readModelAccess: async () => undefined });
  const { text, json, hasFailed } = reportFindings('the account', findings);
  expect(json).toMatchObject({ passes: 2, warnings: 0, failures: 1, findings: expect.any(Array) });
  expect(hasFailed).toBe(true);
  expect(text).toMatch(/\nFAILURE {2}model: .*\n {9}aws bedrock .*\n\n2 passed, 0 warnings, 1 failure$/);
  expect(reportFindings('the account', await before()).hasFailed).toBe(false);
});

test('the doctor refuses an unknown stage', async () => {
  expectRefusal(await runTool(['doctor', '--stage', 'test'], { cwd: __dirname }), 2, 'dev, prod');
});
