/** A service in this process: the functions as wired for Lambda, on a database that counts its calls. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createToolServices } from '../../lambda/aws/dynamodb';
import { systemIds } from '../../lambda/base/ids';
import { isOutage } from '../../lambda/base/outage';
import { defaultPlans } from '../../lambda/contract/plans';
import { hashApiKey } from '../../lambda/credentials/api-key';
import { findKey, type StoredKey } from '../../lambda/credentials/key-store';
import { issueKey } from '../../lambda/credentials/manage-keys';
import { getQuotaLimit, listRequestLimits } from '../../lambda/quota/caller-limits';
import { readUsedUnits } from '../../lambda/quota/take';
import { createLocalAws, type LocalFunction } from '../../local/aws';
import { issueDemoKeys } from '../../local/demo-keys';
import { localIds, makeEnvironment, setEnvironment } from '../../local/environment';
import { startFakeProviders } from '../../local/fake-providers/fake-providers';
import { createGateway } from '../../local/gateway';
import { openServer } from '../../local/http';
import { loadFunctions } from '../../local/service';
import { createState } from '../../local/state';
import { connectDatabase, createTables, startTables } from '../../local/tables';
import { makeAllowedOrigin } from '../fakes/values';
import { startCountingProxy } from './counting-proxy';
import { patience, sharedGenerator } from './local-service';

const signerMaster = 'master';

/** Starts the service once: the functions read their environment when loaded. @param generator settings */
export async function startCountedService(generator: object = sharedGenerator) {
  const engine = await startTables();
  const db = connectDatabase(engine.endpoint);
  const tables = await createTables(db.client);
  const { keys } = await issueDemoKeys(db, tables.apiKeys, undefined);
  const services = { ...createToolServices(db), tables, ids: systemIds, readPrincipal: async () => 'a test' };
  const readOwner = async (key: string) => (await findKey(services, hashApiKey(key))) as StoredKey;
  const { account, plan, name } = await readOwner(keys.free.live);
  const order = { account, plan, name, mode: 'live' } as const;
  const origins = [makeAllowedOrigin('https://example.com')];
  const { secret: siteKey } = await issueKey(services, {
    ...{ ...order, publishedAs: 'site', origins, maxPerMonth: 1_000 },
  });
  const proxy = await startCountingProxy(engine.endpoint);
  const fakeProviders = await startFakeProviders(['openverse']);
  const folder = mkdtempSync(join(tmpdir(), 'counted-'));
  const state = await createState();
  const functions: Record<string, LocalFunction> = {};
  const secrets: Readonly<Record<string, string>> = {
    [localIds.signingSecret]: state.signingKey,
    [localIds.providerSecret]: '{}',
    [localIds.signerSecret]: signerMaster,
    [localIds.addressSecret]: 'addresses',
  };
  const faults: unknown[] = [];
  const { respond } = createLocalAws({
    functions,
    findSecret: (id) => secrets[id],
    // Lambda invokes a generator again that has reached no table.
    onFailure: (error) => {
      if (!isOutage(error)) faults.push(error);
    },
  });
  let downAtAws: string | undefined;
  const aws = await openServer(0, async (request, response) => {
    const call = `${request.headers['x-amz-target'] ?? ''} ${request.url}`;
    if (downAtAws !== undefined && call.includes(downAtAws)) return void response.writeHead(500).end('{}');
    return respond(request, response);
  });
  process.env['GENERATOR'] = JSON.stringify(generator);
  // The functions read it when they are loaded. The default is that of the other services under test.
  process.env['PATIENCE'] ??= patience;
  const environment = makeEnvironment({
    options: {
      bind: { stock_a: 'sandbox', stock_b: 'openverse', stock_c: 'sandbox' },
      imageDelivery: 'provider',
      aiLabel: 'off',
      contentCredentials: 'off',
      anonymousPerHour: 10,
    },
    addresses: { dynamodb: proxy.url, aws: aws.url, tables },
    state,
    endpoints: fakeProviders.endpoints,
    token: 'local',
    imageStoreUrl: pathToFileURL(folder).href,
    demoKey: '',
    url: 'http://127.0.0.1:9',
  });
  setEnvironment(environment);
  // Loads the modules of the functions again, because a new function instance has an empty memory.
  const createInstance = async () => {
    jest.resetModules();
    const { gatewayFunctions, invokedFunctions } = await loadFunctions();
    Object.assign(functions, invokedFunctions);
    const keepFault = (error: unknown) => void faults.push(error);
    return createGateway({
      functions: gatewayFunctions,
      runInTurn: (_, work) => work(),
      nowMs: () => Date.now(),
      rootUrl: 'https://img.example',
      onFault: keepFault,
    });
  };
  let gateway = await createInstance();
  const front = await openServer(0, (request, response) => {
    void gateway(request, response);
  });
  return {
    url: front.url,
    keys,
    /** A site key of the free account, for pages of https://example.com. */
    siteKey,
    calls: proxy.take,
    break: proxy.break,
    /** Makes the calls of AWS fail that have this text in target or path; `undefined` ends the fault. */
    breakAws: (call: string | undefined) => {
      downAtAws = call;
    },
    /** The folder of its image store. */
    folder,
    /** Units charged this month to the account of a live key. */
    readTaken: async (key: string) => {
      await proxy.settle();
      const caller = { ...(await readOwner(key)), kind: 'live' } as const;
      return readUsedUnits(services, getQuotaLimit(listRequestLimits(caller, '', defaultPlans, Date.now())));
    },
    /** Replaces the functions by new instances, as Lambda does when it scales. */
    startCold: async () => {
      gateway = await createInstance();
    },
    stop: async () => {
      await front.stop();
      await aws.stop();
      await proxy.stop();
      await fakeProviders.stop();
      db.client.destroy();
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
      if (faults.length > 0) throw faults[0];
    },
  };
}
