/** The authorizer's policy and context for every kind of caller, on every route. */

import { createHash } from 'node:crypto';
import type { APIGatewayRequestAuthorizerEvent, PolicyDocument } from 'aws-lambda';
import { edgeHeaders } from '../../../lambda/contract/edge';
import { type PlanName, planNames, type Tier, tiers } from '../../../lambda/contract/plans';
import { hashApiKey, type KeyMode, makeKey } from '../../../lambda/credentials/api-key';
import { createKeyCaches } from '../../../lambda/credentials/authorize';
import { createAuthorizerHandler } from '../../../lambda/functions/authorizer/handler';
import { createFakeApiKeys } from '../../fakes/api-keys';
import { createVirtualClock } from '../../fakes/clock';
import { createFakeIds } from '../../fakes/ids';
import { createRecordedTelemetry } from '../../fakes/telemetry';
import { makeKeyRecord } from '../../fakes/values';

const api = 'arn:aws:execute-api:eu-central-1:123456789012:abcdef1234';
const makeArn = (path: string, method = 'GET') => `${api}/prod/${method}${path}`;
const imagePaths = [
  '/api/image',
  '/api/image/',
  '/api/image/800x600-sea',
  '/api/image/id/img_1',
  '/api/image/a%2Fb',
];
const otherPaths = [
  '/api/usage',
  '/',
  '/openapi.json',
  '/api/imagery',
  '/api/images/1',
  '/api',
  '/v2/api/image',
];
/** Whether a policy lets a method be called, as IAM reads it: `*` stands for any text. */
function allows({ Statement }: PolicyDocument, methodArn: string): boolean {
  const effects = Statement.flatMap((statement) => {
    const patterns = 'Resource' in statement ? [statement.Resource].flat().map(String) : [];
    const matches = (pattern: string) =>
      new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 's').test(methodArn);
    return patterns.some(matches) ? [statement.Effect] : [];
  });
  return effects.includes('Allow') && !effects.includes('Deny');
}
const tierKeys = Object.fromEntries(tiers.map((tier) => [tier, `usage-plan-key-of-${tier}`])) as Record<
  Tier,
  string
>;
const ids = createFakeIds();

interface Call {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, readonly string[]>> | null;
  readonly query?: Readonly<Record<string, readonly string[]>> | null;
}

/** The authorizer on fake keys. @param edgeHash hash of the secret of the distribution before the API */
function start(edgeHash?: string) {
  const clock = createVirtualClock();
  const apiKeys = createFakeApiKeys([], clock);
  const telemetry = createRecordedTelemetry();
  const keyCaches = createKeyCaches();
  const handler = createAuthorizerHandler({ ...apiKeys.services, telemetry, keyCaches, tierKeys, edgeHash });
  const ask = ({ path = '/api/image', method = 'GET', headers = {}, query = null }: Call = {}) =>
    handler({
      type: 'REQUEST',
      methodArn: makeArn(path, method),
      httpMethod: method,
      multiValueHeaders: headers,
      multiValueQueryStringParameters: query,
    } as unknown as APIGatewayRequestAuthorizerEvent);
  const issue = async (mode: KeyMode = 'live', plan: PlanName = 'free') => {
    const key = makeKey('pk', mode, ids.makeBytes);
    const record = makeKeyRecord({ mode, plan, hash: hashApiKey(key) });
    await apiKeys.store.addKey(record);
    return { key, record };
  };
  return { apiKeys, telemetry, ask, issue };
}

const unissued = makeKey('pk', 'live', ids.makeBytes);

describe('callers without a key', () => {
  test('a caller without a key may call every route in the anonymous tier', async () => {
    const { ask } = start();
    const verdict = await ask();
    expect(verdict).toMatchObject({
      principalId: 'anonymous',
      context: { caller: 'anonymous' },
      usageIdentifierKey: 'usage-plan-key-of-anonymous',
    });
    for (const path of [...imagePaths, ...otherPaths])
      expect(allows(verdict.policyDocument, makeArn(path))).toBe(true);
  });

  test.each<[string, Call]>([
    ['no headers at all', { headers: null, query: null }],
    ['an empty header', { headers: { 'X-API-Key': [''] } }],
  ])('a caller with %s is anonymous', async (_, call) => {
    expect((await start().ask(call)).context).toEqual({ caller: 'anonymous' });
  });
});

describe('callers with a key', () => {
  test.each(planNames.flatMap((plan) => (['live', 'test'] as const).map((mode) => [mode, plan] as const)))(
    'a key that is %s on %s has its tier, its account and a context of strings',
    async (mode, plan) => {
      const { ask, issue } = start();
      const { key, record } = await issue(mode, plan);
      const verdict = await ask({ headers: { 'X-API-Key': [key] } });
      expect(verdict).toMatchObject({
        principalId: record.account,
        context: { caller: mode, account: record.account, plan, keyId: record.keyId },
        usageIdentifierKey: expect.stringMatching(
          new RegExp(`^usage-plan-key-of-${mode === 'test' ? 'test' : plan}[1-7]?$`),
        ),
      });
      expect(Object.values(verdict.context ?? {}).every((value) => typeof value === 'string')).toBe(true);
      for (const path of [...imagePaths, ...otherPaths])
        expect(allows(verdict.policyDocument, makeArn(path))).toBe(true);
      expect(JSON.stringify(verdict)).not.toContain(key);
      expect(JSON.stringify(verdict)).not.toContain(record.hash);
    },
  );

  test.each<[string, (key: string) => Call]>([
    ['a header in small letters', (key) => ({ headers: { Accept: ['*/*'], 'x-api-key': [key] } })],
    ['a header in capitals', (key) => ({ headers: { 'X-API-KEY': [key] } })],
    ['an escaped ampersand', (key) => ({ query: { query: ['sea'], 'amp;api_key': [key] } })],
    ['one that was escaped twice', (key) => ({ query: { query: ['sea'], 'amp;amp;api_key': [key] } })],
  ])('a key is found behind %s', async (_, makeCall) => {
    const { ask, issue } = start();
    const { key } = await issue();
    expect((await ask(makeCall(key))).context).toMatchObject({ caller: 'live' });
  });

  test.each([
    ['two lines of one header', { 'X-API-Key': ['a', 'b'] }],
    ['two spellings of the header', { 'X-API-Key': ['a'], 'x-api-key': ['b'] }],
  ])('keys in %s are refused without a read', async (_, headers) => {
    const { ask, apiKeys } = start();
    expect((await ask({ headers })).context).toEqual({ refusal: 'conflicting_parameters' });
    expect(apiKeys.calls).toEqual([]);
  });

  test('a caller with a key may call every method of every path', async () => {
    const { ask, issue } = start();
    const { key } = await issue();
    const { policyDocument } = await ask({ headers: { 'X-API-Key': [key] } });
    expect(allows(policyDocument, makeArn('/api/image', 'HEAD'))).toBe(true);
    expect(allows(policyDocument, makeArn('/api/image').replace('/prod/', '/other/'))).toBe(false);
    expect(allows(policyDocument, makeArn('/api/image').replace('abcdef1234', 'zzz'))).toBe(false);
  });
});

describe('callers whose key cannot be used', () => {
  test.each<[string, string]>([
    ['malformed', 'pk_live_short'],
    ['never issued', unissued],
  ])('a key that is %s is passed only to the image routes, with the refusal', async (_, key) => {
    const { ask } = start();
    for (const path of imagePaths) {
      const verdict = await ask({ path, headers: { 'X-API-Key': [key] } });
      expect(verdict).toMatchObject({
        principalId: 'anonymous',
        context: { refusal: 'invalid_api_key' },
        usageIdentifierKey: 'usage-plan-key-of-anonymous',
      });
      for (const imagePath of imagePaths)
        expect(allows(verdict.policyDocument, makeArn(imagePath))).toBe(true);
      for (const path of otherPaths.filter((otherPath) => otherPath !== '/v2/api/image'))
        expect(allows(verdict.policyDocument, makeArn(path))).toBe(false);
    }
    for (const path of otherPaths) {
      const { policyDocument } = await ask({ path, headers: { 'X-API-Key': [key] } });
      for (const deniedPath of [...imagePaths, ...otherPaths])
        expect(allows(policyDocument, makeArn(deniedPath))).toBe(false);
    }
  });

  test('a caller with an unusable key gets the address of the key metadata from MCP', async () => {
    const { policyDocument } = await start().ask({ path: '/mcp', headers: { 'X-API-Key': [unissued] } });
    expect(allows(policyDocument, makeArn('/mcp', 'POST'))).toBe(true);
    expect(allows(policyDocument, makeArn('/api/usage'))).toBe(false);
  });
});

describe('outages', () => {
  test('in an outage every route is allowed, so that no valid key is called invalid', async () => {
    const { ask, apiKeys, telemetry } = start();
    apiKeys.failWith(new Error('no answer'));
    for (const path of [...imagePaths, ...otherPaths]) {
      const verdict = await ask({ path, headers: { 'X-API-Key': [unissued] } });
      expect(verdict).toMatchObject({
        context: { refusal: 'service_unavailable' },
        usageIdentifierKey: tierKeys.anonymous,
      });
      expect(allows(verdict.policyDocument, makeArn(path))).toBe(true);
    }
    expect(telemetry.errors.length).toBe(imagePaths.length + otherPaths.length);
    expect((await ask()).context).toEqual({ caller: 'anonymous' });
  });
});

test('a preflight has a throttle that floods without a credential do not use up', async () => {
  const { ask, apiKeys } = start();
  const verdict = await ask({ method: 'OPTIONS', headers: { 'X-API-Key': [unissued] } });
  expect(verdict).toMatchObject({
    context: { caller: 'anonymous' },
    usageIdentifierKey: 'usage-plan-key-of-business',
  });
  expect(allows(verdict.policyDocument, makeArn('/api/image', 'OPTIONS'))).toBe(true);
  expect(apiKeys.calls).toEqual([]);
});

test.each([
  ['the proof of the distribution', ['a secret'], true, '192.0.2.1'],
  ['another proof', ['guessed'], true, undefined],
  ['two proofs', ['a secret', 'a secret'], true, undefined],
  ['no proof', [], true, undefined],
  ['a proof of no distribution', ['a secret'], false, undefined],
])(
  'only the proof of the distribution makes its viewer believed: %s',
  async (_, proofs, hasDistribution, viewerIp) => {
    const { ask } = start(
      hasDistribution ? createHash('sha256').update('a secret').digest('hex') : undefined,
    );
    const headers = { [edgeHeaders.viewerIp]: ['192.0.2.1'], [edgeHeaders.proof]: proofs };
    expect((await ask({ headers })).context?.['viewerIp']).toBe(viewerIp);
  },
);

test.each([
  ['/api/image', 'invalid_signature'],
  ['/api/image/800x600-sea', 'invalid_signature'],
  ['/api/usage', undefined],
  ['/api/images', undefined],
])('only the routes of images check a signature: %s', async (path, refusal) => {
  const { context } = await start().ask({ path, query: { signer: ['sg_live_short'], signature: ['x'] } });
  expect(context).toEqual(refusal ? { refusal } : { caller: 'anonymous' });
});
