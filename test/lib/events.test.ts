/** The recorded events match the template's routes, and each gets the response that its name states. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { untimed } from '../../lambda/aws/dynamodb';
import type { FunctionName } from '../../lambda/contract/functions';
import { gatewayResources } from '../../lambda/contract/routes';
import { tables } from '../../lambda/contract/tables';
import { readApiKey } from '../../lambda/credentials/api-key';
import { addKey } from '../../lambda/credentials/key-store';
import { environmentOf as localEnvironment, samEnvironment } from '../../local/environment';
import { newState } from '../../local/state';
import { accountId } from '../fakes/branded';
import { type LocalAccount, startLocalAccount } from './runtime/local-account';
import { type BundleRun, runBundle } from './runtime/run-bundle';
import { environmentOf, resourcesOf, synthesise } from './synthesise';

interface RecordedEvent {
  readonly resource: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly multiValueHeaders: Readonly<Record<string, readonly string[]>>;
  readonly multiValueQueryStringParameters: Readonly<Record<string, readonly string[]>> | null;
  readonly methodArn?: string;
}

const folder = join(__dirname, '..', '..', 'events');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace(/\.json$/, ''))
  .sort();
const eventOf = (name: string): RecordedEvent =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
const functionOf = (name: string) => name.split('-')[0] as FunctionName;

const template = synthesise('dev');
const functions = resourcesOf(template, 'AWS::Lambda::Function');
const logicalIdOf = (name: FunctionName) => `${name[0]?.toUpperCase()}${name.slice(1)}Function`;

test.each(names)('%s is for a function of the template', (name) => {
  expect(functions[logicalIdOf(functionOf(name))]).toBeDefined();
});

test.each(names)('%s is for a resource of the API', (name) => {
  const { resource, httpMethod, path, methodArn } = eventOf(name);
  expect(gatewayResources.map((each) => each.path as string)).toContain(resource);
  expect(path).toMatch(new RegExp(`^${resource.replace(/\{[^}]+\}/g, '.+')}$`));
  if (methodArn !== undefined) expect(methodArn).toMatch(new RegExp(`/${httpMethod}${path}$`));
});

const forSam = synthesise('dev', { sam: true });
const samFunctions = ['AuthorizerFunction', 'ApiFunction', 'RendererFunction', 'GeneratorFunction'];

test.each(samFunctions)('with -c sam=true, %s declares what npm start -- --for-sam gives it', async (id) => {
  const values = localEnvironment({
    options: {
      bind: { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' },
      imageDelivery: 'provider',
      aiLabel: 'off',
      contentCredentials: 'self',
      anonymousPerHour: 10,
    },
    addresses: {
      dynamodb: 'http://127.0.0.1:1',
      aws: 'http://127.0.0.1:2',
      tables: Object.fromEntries(Object.keys(tables).map((table) => [table, table])) as never,
    },
    state: await newState(),
    endpoints: {},
    token: 'token',
    imageStore: 'file:///images',
    demoKey: '',
    url: 'http://127.0.0.1:3000',
  });
  const given = JSON.parse(samEnvironment(values))[id];
  const declared = environmentOf(forSam, id);
  const unresolvable = Object.keys(declared).filter((name) => typeof declared[name] !== 'string');
  // SAM replaces only what the template declares, and takes no reference to a resource.
  expect(Object.keys(given)).toEqual(expect.arrayContaining(unresolvable));
  for (const service of ['DYNAMODB', 'LAMBDA', 'S3', 'SECRETS_MANAGER'])
    expect(Object.keys(declared)).toContain(`AWS_ENDPOINT_URL_${service}`);
  // By the key id the services of this machine tell whom they answer.
  expect(declared).toMatchObject({ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_SESSION_TOKEN: '' });
});

describe('replayed through the built functions', () => {
  let account: LocalAccount;
  beforeAll(async () => {
    account = await startLocalAccount();
    const { database, tableNames } = account.engine;
    const services = { ...untimed(database), tables: tableNames };
    for (const name of ['authorizer-live']) {
      const { multiValueHeaders, multiValueQueryStringParameters: query } = eventOf(name);
      const key = readApiKey(multiValueHeaders['X-API-Key']?.[0] ?? query?.['api_key']?.[0] ?? '');
      if (!key) throw new Error(`${name} holds no key`);
      const createdAt = '2026-11-01T00:00:00.000Z';
      const about = {
        name: 'demo',
        account: accountId('acct_demo'),
        plan: 'pro',
        createdAt,
        createdBy: 'jane',
      } as const;
      await addKey(services, { keyId: `key_demo_${key.mode}`, ...key, ...about });
    }
  });
  afterAll(() => account.stop());

  const runs = new Map<FunctionName, Promise<BundleRun>>();
  /** All events of a function are replayed by one instance. */
  const replay = async (name: string): Promise<Readonly<Record<string, unknown>>> => {
    const of = functionOf(name);
    const events = names.filter((each) => functionOf(each) === of);
    const run = runs.get(of) ?? runBundle(account.folderOf(of), events.map(eventOf), account.environment);
    runs.set(of, run);
    const { outcomes, log } = await run;
    const outcome = outcomes[events.indexOf(name)];
    if (outcome?.errorMessage !== undefined) throw new Error(`${outcome.errorMessage}\n${log}`);
    return outcome?.result as Readonly<Record<string, unknown>>;
  };

  const expected: Readonly<Record<string, object>> = {
    'authorizer-live': {
      context: { caller: 'live', account: accountId('acct_demo'), plan: 'pro', keyId: 'key_demo_live' },
    },
    'api-anonymous': { statusCode: 302, headers: { 'X-RateLimit-Limit': '10', 'X-Cache': 'MISS' } },
    'api-live': { statusCode: 302, headers: { 'X-RateLimit-Limit': '50000' } },
    'api-ai': { statusCode: 302, headers: { 'X-Image-Source': 'ai' } },
    'api-ai-anonymous': { statusCode: 401 },
    'api-error': { statusCode: 400, headers: { 'Content-Type': 'application/problem+json' } },
  };

  test('every event has an expected response', () => {
    expect(names).toEqual(Object.keys(expected).sort());
  });

  test.each(Object.entries(expected))(
    '%s',
    async (name, answer) => {
      expect(await replay(name)).toMatchObject(answer);
    },
    60_000,
  );
});
