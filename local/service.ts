/** Starts the local service: tables, functions, the gateway before them, and the distribution of their images. */

import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { systemIds } from '../lambda/base/ids';
import { logOutput } from '../lambda/functions/start-function';
import { drawErrorCards } from '../lib/error-cards';
import { bundlePageAssets } from '../lib/functions/bundle';
import { derivePublicKey } from '../lib/key-maker/certificates';
import { createLocalAws, type LocalFunction } from './aws';
import { createCdn } from './cdn';
import { type DemoAccounts, issueDemoKeys } from './demo-keys';
import {
  type LocalOptions,
  localIds,
  makeEnvironment,
  setEnvironment,
  writeDescription,
  writeSamEnvironment,
} from './environment';
import { createFairQueue } from './fair-queue';
import { createGateway, type GatewayFunctions } from './gateway';
import { guardListener, type Listener, openServer } from './http';
import { addPublicFiles, openImages } from './images';
import { makeProviderKeys, reachProviders } from './providers';
import { createErrorLog, writeRequestLine } from './request-log';
import { readState, writeState } from './state';
import { connectDatabase, createTables, forgetItems, startTables } from './tables';
import { leaveToken } from './token';

/** A running service. `npm start -- --json` prints these fields. */
export interface LocalService extends DemoAccounts {
  readonly url: string;
  /** URLs of the fake providers, by provider. */
  readonly fakeProviders: Readonly<Record<string, string>> | undefined;
  /** The file for `sam local --env-vars`, with `--for-sam`. */
  readonly samEnvironment: string | undefined;
  /** Ends the service when requests in flight are done, and after `graceMs` at the latest. */
  stop(): Promise<void>;
}

/** A part of the running service, such as a server. It stops at once, or when its work is done or `grace` resolves. */
interface RunningPart {
  stop(grace: Promise<unknown>): unknown;
}

/** What the parts need to start. */
interface StartContext {
  readonly options: LocalOptions;
  readonly onFault: (error: unknown) => void;
  readonly url: string;
  /** Programs of the same user can read the token from its file; web pages cannot. */
  readonly token: string;
  /** The network interface of the parts that containers call, with `--for-sam`. */
  readonly host: string | undefined;
  /** Adds a started part. Parts stop in the opposite order, because each calls the parts before it. */
  addPart<Part extends RunningPart>(part: Part): Part;
}

/** Time for requests in flight and pending generations when the service ends, in milliseconds. */
const graceMs = 5_000;

const refuseWhileStarting: Listener = (_, response) => {
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
  const detail = 'The service is starting. Retry the request in a second.';
  const problem = { title: 'Starting', status: 503, detail };
  response.writeHead(503, { ...headers, 'cache-control': 'no-store' }).end(JSON.stringify(problem));
};

/** Starts the service. When a part cannot start, the others are stopped and its error is thrown. */
export async function startLocalService(
  options: LocalOptions,
  onFault: (error: unknown) => void,
): Promise<LocalService> {
  // The port is opened first, so that requests get 503 while the service starts.
  const server = await openServer(options.port, refuseWhileStarting);
  const { url } = server;
  const parts: RunningPart[] = [];
  const addPart = <Part extends RunningPart>(part: Part) => {
    parts.push(part);
    return part;
  };
  const stop = async () => {
    const grace = setTimeout(graceMs, undefined, { ref: false });
    // The server is closed first, because requests in flight need all other parts.
    for (const part of [server, ...parts.splice(0).reverse()]) await part.stop(grace);
  };
  try {
    const token = randomBytes(16).toString('hex');
    const context = { options, onFault, url, token, host: options.forSam ? '0.0.0.0' : undefined, addPart };
    const services = await openBackingServices(context);
    const environment = makeFunctionEnvironment(context, services);
    setEnvironment(environment);
    const samEnvironment = options.forSam && leaveSamEnvironment(context, environment);
    if (!options.jsonLogs) logErrorsForPeople(options);
    const { gatewayFunctions, invokedFunctions } = await loadFunctions();
    serveAws(context, services, invokedFunctions);
    if (options.library !== undefined) await addLibraryPhotos(options.library, services);
    addPart({ stop: leaveToken(url, token) });
    server.serve(createRouter(context, services, gatewayFunctions));
    const { demo, providers } = services;
    return { url, ...demo, fakeProviders: providers.fakeProviders, samEnvironment, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type BackingServices = Awaited<ReturnType<typeof openBackingServices>>;
type FunctionEnvironment = ReturnType<typeof makeEnvironment>;

/**
 * Opens what the functions work on: tables and images with the state of the last start, and the providers of the
 * slots. The server of AWS refuses all requests until `serveAws`.
 */
async function openBackingServices({ options, url, token, host, addPart }: StartContext) {
  const { data: folder, bind, fakeProviders } = options;
  const engine = addPart(await startTables(folder && join(folder, 'tables'), token, host));
  const database = connectDatabase(engine.endpoint, token);
  addPart({ stop: () => database.client.destroy() });
  const tables = await createTables(database.client);
  const state = await readState(database.client, tables.quotaCounters);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const providers = addPart(await reachProviders(bind, fakeProviders, process.env, state.endpoints));
  const { endpoints } = providers;
  const images = addPart(openImages(folder));
  // Stored answers hold URLs, which are wrong after a change of ports, or when the images were deleted.
  const isSame = state.url === url && isDeepStrictEqual(state.endpoints, endpoints) && images.areKept;
  if (!isSame) await forgetItems(database.client, tables.cache);
  const demo = await issueDemoKeys(database, tables.apiKeys, state.demo);
  await writeState(database.client, tables.quotaCounters, { ...state, url, endpoints, demo });
  const awsServer = addPart(await openServer(0, refuseWhileStarting, host));
  const addresses = { dynamodb: engine.endpoint, aws: awsServer.url, tables };
  return { awsServer, addresses, database, tables, state, providers, images, demo };
}

/** Makes the environment that leads the functions to the backing services and to each other. */
function makeFunctionEnvironment({ options, token, url }: StartContext, services: BackingServices) {
  const { addresses, state, providers, images, demo } = services;
  return makeEnvironment({
    ...{ options, addresses, state, token, url },
    endpoints: providers.endpoints,
    imageStoreUrl: images.storeUrl,
    demoKey: demo.keys.pro.test,
  });
}

/** Leaves the environment for SAM's containers in a file, until the service ends. Returns the name of the file. */
function leaveSamEnvironment({ addPart }: StartContext, environment: FunctionEnvironment): string {
  const file = 'env.sam.json';
  writeFileSync(file, writeSamEnvironment(environment), { mode: 0o600 });
  addPart({ stop: () => rmSync(file, { force: true }) });
  return file;
}

/** Replaces the log of the functions by a line for each error. */
function logErrorsForPeople({ photos }: LocalOptions): void {
  const writeLine = createErrorLog(photos === true);
  logOutput.write = (record) => void process.stderr.write(writeLine(record));
}

/** Serves Lambda, Secrets Manager and S3 to the functions. */
function serveAws(
  { options, onFault, token, addPart }: StartContext,
  { awsServer, state, images: { imageStore } }: BackingServices,
  functions: Readonly<Record<string, LocalFunction>>,
): void {
  const secrets: Readonly<Record<string, string>> = {
    [localIds.signingSecret]: state.signingKey,
    [localIds.signerSecret]: state.signerSecret,
    [localIds.addressSecret]: state.addressSecret,
    [localIds.contentSecret]: state.contentCredentials,
    [localIds.providerSecret]: makeProviderKeys(process.env, options.fakeProviders),
  };
  const findSecret = (id: string) => secrets[id];
  const aws = createLocalAws({ functions, findSecret, imageStore, onFailure: onFault });
  awsServer.serve(guardListener(aws.respond, token));
  // Invocations may run after their callers have gone, and end before the tables and images that they use.
  addPart({ stop: (grace) => Promise.race([aws.awaitDrained(), grace]) });
}

/** Creates the listener of all requests: `/_local` gets the description, `/cdn/…` is for the distribution, other paths for the gateway. */
function createRouter(
  { options, onFault, url: rootUrl, token }: StartContext,
  { addresses, images, state }: BackingServices,
  functions: GatewayFunctions,
): Listener {
  // Six at once, as a browser asks (AT_ONCE in tests). Many that wait fill the memory, which slows all callers.
  const runInTurn = createFairQueue({ atOnce: Number(process.env['AT_ONCE'] || 6), waitingMax: 500 });
  const gateway = createGateway({ functions, runInTurn, nowMs: Date.now, rootUrl, onFault });
  const cdn = createCdn({
    imageStore: addPublicFiles(images.imageStore),
    baseUrl: `${rootUrl}/cdn`,
    publicKeyPem: derivePublicKey(state.signingKey),
    keyPairId: localIds.keyPairId,
    nowMs: Date.now,
  });
  const description = guardListener((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(writeDescription(addresses, process.env));
  }, token);
  return async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const beganMs = performance.now();
    try {
      if (url === '/_local') await description(request, response);
      else if (url.startsWith('/cdn/')) await cdn(request, response);
      else {
        const result = await gateway(request, response);
        if (!result || options.jsonLogs) return;
        process.stderr.write(`${writeRequestLine(method, url, result, performance.now() - beganMs)}\n`);
      }
    } catch (error) {
      onFault(error);
      response.destroy();
    }
  };
}

/** Loads the functions as Lambda does, with the environment of this process. */
export async function loadFunctions() {
  // In a bundle these are constants.
  globalThis.PAGE_ASSETS ??= bundlePageAssets();
  globalThis.ERROR_CARDS ??= JSON.stringify(await drawErrorCards());
  const [authorizer, api, renderer, generator] = await Promise.all([
    import('../lambda/functions/authorizer/main'),
    import('../lambda/functions/api/main'),
    import('../lambda/functions/renderer/main'),
    import('../lambda/functions/generator/main'),
  ]);
  return {
    gatewayFunctions: { authorizer: authorizer.handler, api: api.handler } as GatewayFunctions,
    invokedFunctions: { renderer: renderer.handler, generator: generator.handler },
  };
}

/** Adds the photographs of a folder to the operator's library, and prints the reason of each refused one. */
async function addLibraryPhotos(
  folder: string,
  { database, tables, images }: BackingServices,
): Promise<void> {
  const { createToolServices } = await import('../lambda/aws/dynamodb');
  const { addFolder } = await import('../cli/library/read-folder');
  const services = { ...createToolServices(database), tables, imageStore: images.imageStore, ids: systemIds };
  const { refused } = await addFolder(services, folder);
  for (const { file, reason } of refused) process.stderr.write(`${file} is not shown: ${reason}\n`);
}
