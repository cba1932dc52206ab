/** Tests that each recorded event fits the template, and gets the response that its name states. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createToolServices } from '../../lambda/aws/dynamodb';
import type { FunctionName } from '../../lambda/contract/functions';
import { gatewayResources } from '../../lambda/contract/routes';
import { hashValidKey } from '../../lambda/credentials/api-key';
import { addKey } from '../../lambda/credentials/key-store';
import { writeSamEnvironment } from '../../local/environment';
import { startFixture } from '../fakes/fixture';
import { makeAccountId } from '../fakes/values';
import { buildOnce } from './runtime/built-function';
import { startLocalAccount } from './runtime/local-account';
import { type BundleRun, runBundle } from './runtime/run-bundle';
import { getEnvironment, synthesise } from './synthesise';

interface RecordedEvent {
  readonly resource: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly multiValueHeaders: Readonly<Record<string, readonly string[]>>;
  readonly methodArn?: string;
}

const folder = join(__dirname, '..', '..', 'events');
const readEvent = (name: string): RecordedEvent =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
const responses: Readonly<Record<string, object>> = {
  'api-ai': { statusCode: 302, headers: { 'X-Image-Source': 'ai' } },
  'api-ai-anonymous': { statusCode: 401 },
  'api-anonymous': { statusCode: 302, headers: { 'X-RateLimit-Limit': '10', 'X-Cache': 'MISS' } },
  'api-error': { statusCode: 400, headers: { 'Content-Type': 'application/problem+json' } },
  'api-live': { statusCode: 302, headers: { 'X-RateLimit-Limit': '50000' } },
  'authorizer-live': {
    context: { caller: 'live', account: makeAccountId('acct_demo'), plan: 'pro', keyId: 'key_demo_live' },
  },
};
const names = Object.keys(responses);

const account = startFixture(startLocalAccount);
beforeAll(async () => {
  const { database, tableNames } = account.engine;
  const hash = hashValidKey('pk', readEvent('authorizer-live').multiValueHeaders['X-API-Key']?.[0] ?? '');
  if (!hash) throw new Error('The event holds no key');
  const owner = { name: 'demo', account: makeAccountId('acct_demo'), plan: 'pro', mode: 'live' } as const;
  const creation = { createdBy: 'jane', createdAt: '2026-11-01T00:00:00.000Z' };
  const record = { keyId: 'key_demo_live', hash, ...owner, ...creation };
  await addKey({ ...createToolServices(database), tables: tableNames }, record);
});

test('each event names a resource of the API', () => {
  expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}.json`).sort());
  for (const { resource, httpMethod, path, methodArn } of names.map(readEvent)) {
    expect(gatewayResources.map(({ path }) => path as string)).toContain(resource);
    expect(path).toMatch(new RegExp(`^${resource.replace(/\{[^}]+\}/g, '.+')}$`));
    if (methodArn !== undefined) expect(methodArn).toMatch(new RegExp(`/${httpMethod}${path}$`));
  }
});

test('--for-sam writes each variable that holds a reference in the template for SAM', () => {
  const samEnvironment = JSON.parse(writeSamEnvironment(account.environment)) as Record<string, object>;
  for (const [id, values] of Object.entries(samEnvironment)) {
    const declared = getEnvironment(synthesise('dev', { sam: true }), id);
    // SAM replaces only what the template declares, and takes no reference to a resource.
    const unresolvable = Object.keys(declared).filter((name) => typeof declared[name] !== 'string');
    expect(Object.keys(values)).toEqual(expect.arrayContaining(unresolvable));
  }
});

const runs = new Map<FunctionName, Promise<BundleRun>>();
test.each(Object.entries(responses))(
  'the built function responds to the event %s as its name says',
  async (name, response) => {
    // All events of a function are replayed by one instance.
    const functionName = name.split('-')[0] as FunctionName;
    const events = names.filter((name) => name.startsWith(`${functionName}-`));
    const run =
      runs.get(functionName) ??
      runBundle(buildOnce(functionName).folder, events.map(readEvent), account.environment);
    runs.set(functionName, run);
    const { outcomes, log } = await run;
    const outcome = outcomes[events.indexOf(name)];
    if (outcome?.result === undefined) throw new Error(`${outcomes.at(-1)?.errorMessage}\n${log}`);
    expect(outcome.result).toMatchObject(response);
  },
);
