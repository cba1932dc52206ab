/** Use these where a test is about AI images: `createAiWorld` asks as callers do, and a scripted model draws. */

import { generateKeyPairSync } from 'node:crypto';
import { createDeadline } from '../../lambda/base/deadline';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { defaultPlans } from '../../lambda/contract/plans';
import { closingReserveMs, requestBudgetMs } from '../../lambda/contract/timeouts';
import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import {
  type AiImage,
  acquireImage,
  finishImage,
  type Master,
  readAiImage,
} from '../../lambda/generation/ai-image-store';
import type { AiServices } from '../../lambda/generation/ai-services';
import {
  type GenerateServices,
  type GenerationJob,
  generateImage,
} from '../../lambda/generation/generate-image';
import {
  type Model,
  ModelFailure,
  type ModelReply,
  type ModelRequest,
} from '../../lambda/generation/models/model';
import type { ImageDomain } from '../../lambda/images/delivery-urls';
import type { PickServices } from '../../lambda/images/picked-images';
import type { Renderer } from '../../lambda/images/renderer';
import type { RenditionJob, RenditionOutcome } from '../../lambda/images/renderer-job';
import type { AiRequest, PermalinkRequest } from '../../lambda/requests/image-request';
import { chargeAndServe } from '../../lambda/serving/charge-and-serve';
import type { RequestContext } from '../../lambda/serving/request-context';
import { createVirtualClock, type VirtualClock } from './clock';
import { createFakeImageStore } from './image-store';
import { createFakeLimits } from './limits';
import { createRecordedTelemetry } from './telemetry';
import { aiCaller, aiRequest, makeContext, makeStoredPath } from './values';

// A request uses the services of its test as they are.
jest.mock('../../lambda/services/image-services', () => ({ createImageServices: async (s: object) => s }));

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const imageDomain: ImageDomain = {
  baseUrl: 'https://images.example.org',
  keyPairId: 'K1',
  readPrivateKey: async () => privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  signedUrls: createExpiringCache(100),
};

/** Creates a renderer in which the first job for a path is the one that stores the file. */
export function createRenderer(render: (job: RenditionJob) => Promise<RenditionOutcome>): Renderer {
  const storedPaths = new Set<string>();
  return {
    async render(job) {
      const outcome = await render(job);
      if (outcome.outcome !== 'stored') return outcome;
      const isNew = !storedPaths.has(job.path);
      storedPaths.add(job.path);
      return { ...outcome, isNew };
    },
  };
}

/** Serves an AI image. */
export const serveAi = (
  services: AiServices,
  request: AiRequest | PermalinkRequest,
  caller: Caller,
  context: RequestContext,
) =>
  chargeAndServe({ stockMemory: storesNoPick, ...services, config: { PLANS: services.plans } } as never, {
    request,
    caller,
    context,
  });

/** The memory of an instance that has stored all picks already. */
const storesNoPick = { writtenLately: { get: () => true } };

/** Creates services on tables in memory. Only a generator queue in `replacements` makes images. */
export function createAiServices(clock: VirtualClock, replacements: Partial<AiServices> = {}) {
  const limits = createFakeLimits(clock, replacements.telemetry);
  const tables = limits.memory.tableNames;
  const services: AiServices & PickServices = {
    ...limits.services,
    stockMemory: { writtenLately: createExpiringCache(9) },
    clock,
    renderer: createRenderer(async () => ({ outcome: 'stored' })),
    imageDomain,
    renditions: createExpiringCache(100),
    aiLabel: 'off',
    generatorQueue: { handOver: async () => Promise.reject(new Error('No image is made')) },
    plans: defaultPlans,
    generationsPerDay: undefined,
    countUnreservedExecutions: async () => undefined,
    ...replacements,
    tables,
  };
  return { services, limits };
}

export const storedMaster: Master = {
  path: makeStoredPath('masters/a/01/master.png'),
  model: 'a model',
  widthPx: 1_536,
  heightPx: 1_024,
};

/** Stores a finished image, as a generator does. */
export async function storeAiImage(
  services: AiServices,
  key: AiImage['key'],
  master: Master = storedMaster,
  wordsAndStyleHash?: string,
): Promise<AiImage> {
  const generationId = services.ids.makeUlid(services.clock.nowMs());
  await acquireImage(services, { key, generationId });
  await finishImage(services, { key, generationId }, master, wordsAndStyleHash);
  return (await readAiImage(services, key)) as AiImage;
}

/** The reply of a model with the first bytes of a PNG. */
const drawnReply = { image: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') };

/** The behaviour of a model at a request. */
export type ModelBehaviour = (clock: VirtualClock) => Promise<ModelReply>;
/** Makes a model that draws after a time. */
export const drawAfter =
  (ms: number): ModelBehaviour =>
  async (clock) => {
    await clock.sleep(ms);
    return drawnReply;
  };
/** A model that reports that it made nothing. */
export const failOutOfService: ModelBehaviour = async () => {
  throw new ModelFailure('final', 'out');
};
/** A model with a safety filter that refuses the prompt. */
export const refuseToDraw: ModelBehaviour = async () => ({ refused: 'filter' });

/**
 * Creates a service whose AI images a scripted model draws, in virtual time and on tables in memory. `ask` asks it for
 * an image, `generating` are the services of its generator, and `model` is the script.
 */
export function createAiWorld(replacements: Partial<AiServices> = {}, startMs?: number) {
  const clock = createVirtualClock(startMs);
  const telemetry = createRecordedTelemetry();
  const imageStore = createFakeImageStore();
  const jobs: GenerationJob[] = [];
  const model = {
    behaviour: drawAfter(3_000),
    /** The requests that it has received, in order. */
    requests: [] as ModelRequest[],
    startsFromImages: false,
  };
  const makeModel = (): Model => ({
    name: 'm',
    kind: 'sandbox',
    startsFromImages: model.startsFromImages,
    ask: async (request) => {
      model.requests.push(request);
      return model.behaviour(clock);
    },
  });
  const { services, limits } = createAiServices(clock, {
    telemetry,
    generatorQueue: {
      handOver: async (job) => {
        jobs.push(job);
        void generateImage(generating, job, services.ids.makeHex(8)).catch(() => undefined);
      },
    },
    renderer: createRenderer(async ({ source }) =>
      source.kind === 'stored' && !(await imageStore.get(source.path))
        ? { outcome: 'gone' }
        : { outcome: 'stored' },
    ),
    ...replacements,
  });
  const generating: GenerateServices = {
    ...services,
    deadline: createDeadline(Infinity),
    imageStore,
    codec: {
      measureImage: async () => ({
        outcome: 'measured',
        mediaType: 'image/png',
        widthPx: 1_536,
        heightPx: 1_024,
      }),
    },
    chooseModel: async () => makeModel(),
  };
  let requests = 0;
  /** Asks a new instance, which remembers nothing, for an image. */
  const ask = (
    change: Partial<AiRequest> = {},
    caller: KeyedCaller = aiCaller,
    context: Partial<RequestContext> = {},
  ) => {
    const instance = createAiServices(clock).services;
    const nowMs = clock.nowMs();
    const deadline = replacements.deadline ?? createDeadline(nowMs + requestBudgetMs - closingReserveMs);
    const asking = { ...services, refusals: instance.refusals, renditions: instance.renditions, deadline };
    const changes = { plans: services.plans, requestId: `r${requests++}`, ...context };
    const serving = makeContext(caller, nowMs, changes);
    return serveAi(asking, { ...aiRequest, ...change }, caller, serving);
  };
  return { ...limits, clock, telemetry, imageStore, jobs, model, services, generating, ask };
}
