/** The local service, put together: embedded tables, the functions, the gateway before them and the CDN beside them. */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { localNames } from '../cli/local-services';
import { lazily } from '../lambda/base/lazily';
import { libraryPathOf } from '../lambda/images/library-path';
import { draftsFolder } from '../lambda/images/s3/filesystem-library';
import { createImageLibrary } from '../lambda/images/s3/open-library';
import { clientPackagePath, packProgram } from '../lib/client-package';
import { drawExample, examplePaths, examplesFolder, exampleType } from '../lib/example-images';
import { type LocalFunction, startEmulatedAws } from './aws';
import { createCdn } from './cdn';
import { type DemoAccounts, issueDemoKeys } from './demo-keys';
import type { StartedEdge } from './edge';
import { createTables, forgetItems } from './engine/create-tables';
import { connect, connectDatabase, startEmbeddedDynamoDb } from './engine/embedded-dynamodb';
import { describeService, type LocalOptions, setEnvironment } from './environment';
import { loadFunctions, startSweeping } from './functions';
import { createGateway } from './gateway/gateway';
import { createUsagePlans } from './gateway/throttles';
import { type Grace, guarded, listen } from './http';
import { localProviderKeys, reachProviders } from './providers';
import { readState, writeState } from './state';
import { leaveToken } from './token';
import { startWorkerThreads } from './workers/worker-threads';

/** The running service, as its JSON line states it. */
export interface LocalService extends DemoAccounts {
  readonly url: string;
  /** URLs of the fake providers by provider, when there are any. */
  readonly fakeProviders?: Readonly<Record<string, string>>;
  /** URL of the API behind the emulated distribution, when there is one. */
  readonly originUrl?: string;
  /** Finishes what it has begun, for a few seconds at most. */
  stop(): Promise<void>;
}

/** What callers are answered before everything runs. */
const starting = {
  title: 'Starting',
  status: 503,
  detail: 'The service is starting. Retry the request in a second.',
} as const;

const execute = promisify(execFile);

type Stop = (grace: Grace) => Promise<void> | void;

/** Time for requests in flight and pending generations when the service ends, in milliseconds. */
const graceMs = 5_000;

/** Burst protection as in AWS, wide enough for one machine's own load tests. */
const throttle = { rate: 1_000, burst: 4_000 } as const;

/**
 * Starts everything; what was started is stopped again when a later part cannot start.
 * @throws `Failure`, `ConfigurationError`
 */
export async function startLocalService(
  options: LocalOptions,
  onFault: (error: unknown) => void,
): Promise<LocalService> {
  const stops: Stop[] = [];
  const stop = async () => {
    const grace = setTimeout(graceMs, undefined, { ref: false });
    for (const each of stops.splice(0).reverse()) await each(grace);
  };
  try {
    return { ...(await start(options, onFault, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: LocalOptions,
  onFault: (error: unknown) => void,
  stops: Stop[],
): Promise<Omit<LocalService, 'stop'>> {
  const nowMs = () => Date.now();
  const { data: folder } = options;
  // Of this start alone: its user's programs can read it, and no web page does.
  const token = randomBytes(16).toString('hex');
  let answer = async (_: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = {
      'content-type': 'application/problem+json',
      'retry-after': '1',
      'cache-control': 'no-store',
    };
    response.writeHead(503, headers).end(JSON.stringify(starting));
  };
  const front = await listen(options.port, (request, response) =>
    answer(request, response).catch((error: unknown) => {
      onFault(error);
      response.destroy();
    }),
  );
  stops.push(() => front.stop());

  const dynamoDb = await startEmbeddedDynamoDb(folder && join(folder, 'tables'), token);
  stops.push(dynamoDb.stop);
  const state = readState(folder);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const reached = await reachProviders(options.bind, options.fakeProviders, process.env, state.endpoints);
  const { endpoints, fakeProviders } = reached;
  stops.push(reached.stop);
  const client = connect(dynamoDb.endpoint, token);
  const imageFolder = folder ? resolve(folder, 'images') : mkdtempSync(join(tmpdir(), 'image-redirect-'));
  if (!folder) stops.push(() => rmSync(imageFolder, { recursive: true, force: true }));
  // Cached answers hold URLs, which are wrong once something is reached elsewhere or the images have been deleted. The
  // stock memory stays: it holds what was removed, and the URLs of its picks are checked before they are used.
  const areTheSame =
    state.url === front.url && isDeepStrictEqual(state.endpoints, endpoints) && existsSync(imageFolder);
  const tables = await createTables(client);
  if (!areTheSame) await forgetItems(client, tables.cache);
  writeState(folder, { ...state, url: front.url, endpoints });

  mkdirSync(imageFolder, { recursive: true, mode: 0o700 });
  // What a killed process had begun to write.
  rmSync(join(imageFolder, draftsFolder), { recursive: true, force: true });
  const imageStore = pathToFileURL(imageFolder).href;
  const library = createImageLibrary(imageStore);
  const imageBaseUrl = `${front.url}/cdn`;
  const clientPackage = clientPackagePath();
  const packClient = lazily(() => execute(process.execPath, [packProgram, join(imageFolder, clientPackage)]));

  const exampleNames = new Map([...examplePaths()].map(([name, path]) => [path, name]));
  /** Draws an example of the service's pages that is asked for and not there yet. */
  const drawExampleAt = async (path: string): Promise<void> => {
    const name = exampleNames.get(path);
    if (name === undefined || (await library.get(libraryPathOf(path)))) return;
    await library.put(libraryPathOf(path), { bytes: await drawExample(name), mediaType: exampleType });
  };

  const functions: Record<string, LocalFunction> = {};
  const secrets = new Map<string, string>([
    [localNames.signingSecret, state.signingKeyPem],
    [localNames.signerSecret, state.signerSecret],
    [localNames.contentSecret, state.contentCredentials],
    [localNames.providerSecret, localProviderKeys(process.env, options.fakeProviders)],
  ]);
  let edge: StartedEdge | undefined;
  const aws = await startEmulatedAws({
    functions,
    secret: (id) => secrets.get(id),
    onInvalidation: () => edge?.forget(),
    token,
    onFailure: (_, error) => onFault(error),
  });
  stops.push(aws.stop);

  const usagePlans = createUsagePlans(throttle);
  const originLock = options.edge ? randomBytes(24).toString('hex') : undefined;
  const addresses = {
    dynamodb: dynamoDb.endpoint,
    aws: aws.url,
    tables,
    distributions: originLock === undefined ? {} : { edge: localNames.edge },
  };
  const database = connectDatabase(dynamoDb.endpoint, token);
  const demo = await issueDemoKeys(database, tables.apiKeys, folder);
  setEnvironment({
    options,
    addresses,
    state,
    reached,
    token,
    imageBaseUrl,
    clientPackage,
    examples: examplesFolder(),
    imageStore,
    tierKeys: usagePlans.keys,
    demoKey: demo.keys.pro.test,
    url: front.url,
    originLock,
  });
  const threads = startWorkerThreads(process.env);
  stops.push(async (grace) => {
    // What was handed over to them ends first, unless the grace is over.
    await aws.drain(grace);
    await threads.stop();
  });
  Object.assign(functions, threads.functions);
  const loaded = await loadFunctions();
  stops.push(await startSweeping(loaded.sweep, onFault));

  const gateway = createGateway({ functions: loaded, usagePlans, nowMs, rootUrl: front.url, onFault });
  const cdn = createCdn({
    library,
    baseUrl: imageBaseUrl,
    publicKeyPem: state.signingPublicKeyPem,
    keyPairId: localNames.keyPairId,
    nowMs,
  });
  if (options.library !== undefined) {
    const { addFolder } = await import('./photos');
    await addFolder(options.library, database.client, tables.images, library);
  }
  stops.push(leaveToken(front.url, token));
  // Loaded where it is asked for, as it brings the bundler.
  edge =
    originLock === undefined
      ? undefined
      : await (await import('./edge')).startLocalEdge({ lock: originLock, api: gateway, nowMs, onFault });
  if (edge) stops.push(edge.stop);
  const answerCaller = edge?.answer ?? gateway;
  const describe = guarded((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(describeService(addresses, process.env));
  }, token);
  answer = async (request, response) => {
    const path = request.url ?? '/';
    // Packed on first need: most runs have nobody who installs it.
    if (path === `/cdn/${clientPackage}`) await packClient();
    await drawExampleAt(path.slice('/cdn/'.length));
    if (path.startsWith('/cdn/')) return cdn(request, response);
    if (path === '/_local') return void describe(request, response);
    return answerCaller(request, response);
  };
  // Requests in flight need everything above, so they are the first to be finished.
  stops.push((grace) => front.stop(grace));
  return {
    url: front.url,
    ...demo,
    ...(fakeProviders && { fakeProviders }),
    ...(edge ? { originUrl: edge.originUrl } : {}),
  };
}
