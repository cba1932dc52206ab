/** The local service: tables, functions, the gateway before them and the distribution beside them. */

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { RefusedFile } from '../cli/library/read-folder';
import { leaveToken, localNames } from '../cli/local-services';
import type { Database } from '../lambda/aws/dynamodb';
import { lazily } from '../lambda/base/lazily';
import { systemIds } from '../lambda/base/system';
import { logOutput } from '../lambda/functions/start-function';
import type { ImageStore } from '../lambda/images/image-store';
import { draftsFolder } from '../lambda/images/stores/folder-store';
import { openImageStore } from '../lambda/images/stores/open-image-store';
import { publicKeyOf } from '../lib/key-maker/certificates';
import { makePublicFile, publicMediaTypes } from '../lib/public-files';
import { createLocalAws, type LocalFunction } from './aws';
import { createCdn } from './cdn';
import { type DemoAccounts, issueDemoKeys } from './demo-keys';
import {
  describeService,
  environmentOf,
  type LocalOptions,
  samEnvironment,
  setEnvironment,
} from './environment';
import { createFairQueue } from './fair-queue';
import { createGateway, type GatewayFunctions } from './gateway';
import { guarded, type Listener, listen } from './http';
import { localProviderKeys, reachProviders } from './providers';
import { errorLine, requestLine } from './request-log';
import { readState, writeState } from './state';
import { connectDatabase, createTables, forgetItems, startTables } from './tables';

/** The running service, as its JSON line prints it. */
export interface LocalService extends DemoAccounts {
  readonly url: string;
  /** URLs of the fake providers, by provider. */
  readonly fakeProviders?: Readonly<Record<string, string>>;
  /** The file for `sam local --env-vars`, with `--for-sam`. */
  readonly samEnvironment?: string;
  /** Ends the service, after the requests in flight, or after `graceMs`. */
  stop(): Promise<void>;
}

type Stop = (grace: Promise<unknown>) => Promise<void> | void;

/** Time for requests in flight and pending generations when the service ends, in milliseconds. */
const graceMs = 5_000;

/** Answers 503 while the service starts. */
const starting: Listener = (_, response) => {
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
  const detail = 'The service is starting. Retry the request in a second.';
  const problem = { title: 'Starting', status: 503, detail };
  response.writeHead(503, { ...headers, 'cache-control': 'no-store' }).end(JSON.stringify(problem));
};

/** The file that `--for-sam` writes into the current folder. */
const samFile = 'env.sam.json';

/** Starts the service. When a part cannot start, stops the others. @throws `Failure`, `ConfigurationError` */
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
  const { data: folder, forSam } = options;
  const host = forSam ? '0.0.0.0' : undefined;
  // Programs of the same user can read the token from its file; web pages cannot.
  const token = randomBytes(16).toString('hex');
  let answer = starting;
  const front = await listen(options.port, (request, response) =>
    Promise.resolve(answer(request, response)).catch((error: unknown) => {
      onFault(error);
      response.destroy();
    }),
  );
  stops.push(() => front.stop());
  const { url } = front;

  const engine = await startTables(folder && join(folder, 'tables'), token, host);
  stops.push(engine.stop);
  const database = connectDatabase(engine.endpoint, token);
  stops.push(() => database.client.destroy());
  const tables = await createTables(database.client);
  const state = await readState(database.client, tables.quotaCounters);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const reached = await reachProviders(options.bind, options.fakeProviders, process.env, state.endpoints);
  const { endpoints, fakeProviders } = reached;
  stops.push(reached.stop);

  const imageFolder = folder ? resolve(folder, 'images') : mkdtempSync(join(tmpdir(), 'image-redirect-'));
  if (!folder) stops.push(() => rmSync(imageFolder, { recursive: true, force: true }));
  // Kept answers hold URLs, which are wrong after a change of ports, or when the images were deleted.
  const isSame =
    state.url === url && isDeepStrictEqual(state.endpoints, endpoints) && existsSync(imageFolder);
  if (!isSame) await forgetItems(database.client, tables.cache);
  mkdirSync(imageFolder, { recursive: true, mode: 0o700 });
  // Files that a killed process had begun to write.
  rmSync(join(imageFolder, draftsFolder), { recursive: true, force: true });
  const imageStore = pathToFileURL(imageFolder).href;
  const bucket = openImageStore(imageStore);
  const demo = await issueDemoKeys(database, tables.apiKeys, state.demoKeys);
  await writeState(database.client, tables.quotaCounters, { ...state, url, endpoints, demoKeys: demo.keys });

  const functions: Record<string, LocalFunction> = {};
  const secrets: Readonly<Record<string, string>> = {
    [localNames.signingSecret]: state.signingKey,
    [localNames.signerSecret]: state.signerSecret,
    [localNames.addressSecret]: state.addressSecret,
    [localNames.contentSecret]: state.contentCredentials,
    [localNames.providerSecret]: localProviderKeys(process.env, options.fakeProviders),
  };
  const aws = createLocalAws({ functions, secret: (id) => secrets[id], bucket, onFailure: onFault });
  const awsServer = await listen(0, guarded(aws.answer, token), host);
  stops.push(async (grace) => {
    // Running invocations end first, such as generations whose callers have gone.
    await Promise.race([aws.drained(), grace]);
    await awsServer.stop();
  });
  const addresses = { dynamodb: engine.endpoint, aws: awsServer.url, tables };
  const demoKey = demo.keys.pro.test;
  const reachable = { addresses, endpoints, token, imageStore, url };
  const environment = environmentOf({ options, state, demoKey, ...reachable });
  setEnvironment(environment);
  if (forSam) {
    writeFileSync(samFile, samEnvironment(environment), { mode: 0o600 });
    stops.push(() => rmSync(samFile, { force: true }));
  }
  if (!options.jsonLogs) logOutput.write = (line) => void process.stderr.write(errorLine(line) ?? '');
  const loaded = await loadFunctions();
  Object.assign(functions, loaded.invoked);
  if (options.library !== undefined) await addLibrary(options.library, database, tables.images, bucket);
  stops.push(leaveToken(url, token));

  const nowMs = Date.now;
  const gateway = createGateway({ functions: inTurns(loaded.api), nowMs, rootUrl: url, onFault });
  const cdn = createCdn({
    bucket: withPublicFiles(bucket),
    baseUrl: `${url}/cdn`,
    publicKeyPem: publicKeyOf(state.signingKey),
    keyPairId: localNames.keyPairId,
    nowMs,
  });
  const describe = guarded((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(describeService(addresses, process.env));
  }, token);
  answer = async (request, response) => {
    const { url: target = '/', method = 'GET' } = request;
    if (target === '/_local') return describe(request, response);
    if (target.startsWith('/cdn/')) return cdn(request, response);
    const beganMs = performance.now();
    const result = await gateway(request, response);
    const line = requestLine(method, target, result, performance.now() - beganMs);
    if (!options.jsonLogs) process.stderr.write(`${line}\n`);
  };
  // The first to stop, as requests in flight need everything above.
  stops.push((grace) => front.stop(grace));
  return {
    url,
    ...demo,
    ...(fakeProviders && { fakeProviders }),
    ...(forSam && { samEnvironment: samFile }),
  };
}

/** Loads the functions as Lambda does, with the environment of this process. @throws `ConfigurationError` */
export async function loadFunctions() {
  // Constants of the bundles, made on first need here.
  const constants = {
    ERROR_CARDS: async () => JSON.stringify(await (await import('../lib/error-cards')).drawErrorCards()),
    PAGE_ASSETS: async () => (await import('../lib/functions/page-assets')).bundlePageAssets(),
  };
  for (const [name, make] of Object.entries(constants))
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: lazily(make as () => Promise<unknown>),
    });
  const [authorizer, api, renderer, generator] = await Promise.all([
    import('../lambda/functions/authorizer/main'),
    import('../lambda/functions/api/main'),
    import('../lambda/functions/renderer/main'),
    import('../lambda/functions/generator/main'),
  ]);
  return {
    api: { authorizer: authorizer.handler, api: api.handler } as GatewayFunctions,
    invoked: { renderer: renderer.handler, generator: generator.handler },
  };
}

/** The functions; `api` begins six requests of an account at once, as a browser does (AT_ONCE in tests). */
function inTurns({ authorizer, api }: GatewayFunctions): GatewayFunctions {
  const inTurn = createFairQueue(Number(process.env['AT_ONCE'] || 6));
  return {
    authorizer,
    api: (event) => inTurn(String(event.requestContext.authorizer?.['principalId']), () => api(event)),
  };
}

/** Adds the photographs of a folder to the operator's library, and prints which are refused. */
async function addLibrary(folder: string, database: Database, images: string, bucket: ImageStore) {
  const { untimed } = await import('../lambda/aws/dynamodb');
  const { addPhotos } = await import('../lambda/stock/library/manage-photos');
  const { readFolder } = await import('../cli/library/read-folder');
  const refused: RefusedFile[] = [];
  const photos = { ...untimed(database), tables: { images }, bucket, ids: systemIds };
  await addPhotos(photos, readFolder(folder, refused));
  for (const { file, reason } of refused) process.stderr.write(`${file} is not shown: ${reason}\n`);
}

/** The images with the files below `public/`, which a deployment uploads; here they are made on request. */
function withPublicFiles(bucket: ImageStore): Pick<ImageStore, 'get'> {
  const made = new Map([...makePublicFile].map(([path, make]) => [path, lazily(make)]));
  return {
    async get(path) {
      const bytes = await made.get(path)?.();
      const ending = path.split('.').at(-1) as keyof typeof publicMediaTypes;
      return bytes ? { bytes, mediaType: publicMediaTypes[ending] } : bucket.get(path);
    },
  };
}
