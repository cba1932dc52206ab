/** The image function as it starts from its environment, on a real engine: what each of its settings changes for a caller. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { tableVariables } from '../../../lambda/contract/environment';
import type { TableName } from '../../../lambda/contract/tables';
import { settings } from '../../../lambda/functions/redirect/settings';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { reachAwsAt } from '../../fakes/aws-environment';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { type EventOptions, liveContext, proxyEventOf } from './proxy-event';

let engine: Engine;
let aws: Loopback;
let leaveAws: () => void;
const agents: string[] = [];
beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  engine = await startEngine();
  aws = await listenOnLoopback((request, response) => {
    agents.push(request.headers['user-agent'] ?? '');
    response.end('{"outcome":"stored"}');
  });
  leaveAws = reachAwsAt(aws.address, 'us-east-1');
});
afterAll(async () => {
  jest.restoreAllMocks();
  leaveAws();
  await aws.stop();
  await engine.stop();
});

/** A new instance, which answers requests for the same image. */
async function started(changes: Readonly<Record<string, string>> = {}) {
  const needed = Object.entries(settings).filter(([, setting]) => !('fallback' in setting));
  const names = Object.entries(engine.tableNames) as [TableName, string][];
  Object.assign(
    process.env,
    Object.fromEntries(Object.keys(settings).map((name) => [name, ''])),
    Object.fromEntries(needed.map(([name]) => [name, name])),
    Object.fromEntries(names.map(([table, name]) => [tableVariables[table], name])),
    {
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
      IMAGE_BASE_URL: 'https://images.example.org',
      IMAGE_STORE: 's3://images',
      SLOT_BINDINGS: '{"stock_a":"sandbox","stock_b":"sandbox","stock_c":"sandbox"}',
      ...changes,
    },
  );
  jest.resetModules();
  const { handler } = await import('../../../lambda/functions/redirect/main');
  return async (more: EventOptions = {}): Promise<Record<string, unknown>> => {
    const event = proxyEventOf({ query: { query: ['lake'] }, receivedMs: Date.now(), ...more });
    const { headers = {} }: APIGatewayProxyResult = await handler(event);
    return headers;
  };
}

test.each([
  [{}, 'max-age=3600'],
  [{ REDIRECT_MAX_AGE_S: '60' }, 'max-age=60'],
])('with %j, a browser may keep a redirect: %s', async (changes, maxAge) => {
  expect((await (await started(changes))())['Cache-Control']).toContain(maxAge);
});

test.each([
  [{}, 1],
  [{ SIGNED_CHARGE: 'day' }, 1],
  [{ SIGNED_CHARGE: 'month' }, 1],
  [{ SIGNED_CHARGE: 'request' }, 3],
])(
  'with %j, an image with a site key that is viewed three times is charged %i times',
  async (changes, times) => {
    const ask = await started(changes);
    const context = { ...liveContext, account: `acc_${JSON.stringify(changes).replace(/\W/g, '')}` };
    for (let i = 0; i < 3; i++) await ask({ context: { ...context, publishedAs: 'site' } });
    // Visitors are not told; the account is, with its next image.
    const { 'X-RateLimit-Remaining': left } = await ask({ context, query: { query: ['sea'] } });
    expect(Number(left)).toBe(1_000 - times - 1);
  },
);

test('without a key, the hour’s limit is the operator’s, or none', async () => {
  const limits = [];
  for (const ANONYMOUS_LIMIT of ['{}', '{"limit":7}'])
    limits.push((await (await started({ ANONYMOUS_LIMIT }))())['X-RateLimit-Limit']);
  expect(limits).toEqual(['10', '7']);
});

test.each([
  [{ CONTACT: 'ops@example.org' }, 'ops@example.org'],
  [{}, 'https://api.example.org/prod'],
])('with %j, providers may ask %s', async (changes, contact) => {
  const ask = await started({
    SLOT_BINDINGS: '{"stock_a":"openverse","stock_b":"openverse","stock_c":"openverse"}',
    PROVIDER_ENDPOINTS: JSON.stringify({ openverse: aws.address }),
    ...changes,
  });
  await ask({ query: { query: [contact] } });
  expect(agents.at(-1)).toContain(`(${contact})`);
});
