/** The actors of a history: requests, runs of the generator, the model, and the operator. */

import { takeDown } from '../../../cli/images/take-down';
import { FunctionBusy } from '../../../lambda/aws/lambda';
import type { Deadline } from '../../../lambda/base/deadline';
import { createExpiringCache } from '../../../lambda/base/expiring-cache';
import { defaultPlans } from '../../../lambda/contract/plans';
import { closingReserveMs, requestBudgetMs } from '../../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../../lambda/credentials/caller';
import {
  type ImageKey,
  identifyAiImage,
  makeImageId,
  mastersFolder,
  renditionsFolder,
} from '../../../lambda/generation/ai-image-identity';
import { readAiImage } from '../../../lambda/generation/ai-image-store';
import type { AiServices } from '../../../lambda/generation/ai-services';
import { type GenerationJob, generateImage } from '../../../lambda/generation/generate-image';
import { ModelFailure, type ModelReply } from '../../../lambda/generation/models/model';
import { pickOfAiImage } from '../../../lambda/images/picked-images';
import { pickQuotaLimit } from '../../../lambda/quota/caller-limits';
import { counterKey } from '../../../lambda/quota/limit';
import type { AiRequest } from '../../../lambda/requests/image-request';
import { imageDomain, serveAi } from '../../fakes/ai-services';
import type { Process } from '../../fakes/faulty-world';
import { quiet } from '../../fakes/telemetry';
import { aContext } from '../../fakes/values';
import { breachesOfModel, judge } from './breaches';
import { type Asked, type Scene, skewOf } from './scene';

const runTimeMs = 140_000;
const eventAgeMs = 60_000;
/** The first bytes of a PNG. */
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** The limits in the calm end of a history. */
const calmMax = { requests: 1_000, ofKey: 1_000, generations: 1_000, perDay: 1_000, executions: undefined };

/** Sends a request, and returns it. Its answer is added later. */
export function ask(scene: Scene, caller: KeyedCaller, request: AiRequest, skewMs: number): Asked {
  const { world, wanted } = scene;
  const { process, services } = world.begin(`request${scene.unique()}`, {
    timeMs: requestBudgetMs,
    spareMs: closingReserveMs,
    skewMs,
  });
  const max = world.isCalm() ? calmMax : scene.history.max;
  const plan = {
    ...defaultPlans.pro,
    monthlyRequests: max.requests,
    generationsPerMonth: max.generations,
  };
  const serving = {
    ...services,
    ...servicesOfRequests(scene, process, services.deadline),
    plans: { ...defaultPlans, pro: plan },
    generationsPerDay: max.perDay,
    unreservedExecutions: async () => max.executions,
  };
  const nowMs = process.clock.nowMs();
  const limited = { ...caller, maxPerMonth: max.ofKey };
  const context = aContext(limited, nowMs, { plans: serving.plans, requestId: process.name });
  for (const variation of [request.variation, undefined]) {
    const { key } = identifyAiImage(request, caller, variation);
    wanted.set(key, { caller, request: { ...request, ...(variation !== undefined && { variation }) } });
  }
  const asked: Asked = {
    process,
    caller,
    beganMs: world.nowMs(),
    accountCounter: counterKey(pickQuotaLimit(context.requestLimits)),
    capCounter: counterKey(context.requestLimits[0]),
    tookMs: Infinity,
  };
  const end = (how: Pick<Asked, 'answer' | 'error'>) =>
    Object.assign(asked, { tookMs: world.nowMs() - asked.beganMs, ...how });
  serveAi(serving, request, caller, context).then(
    (answer) => end({ answer }),
    (error: unknown) => end({ error }),
  );
  return asked;
}

/** The services of requests, without tables and limits. */
function servicesOfRequests(scene: Scene, process: Process, deadline: Deadline) {
  const { world, files, unique } = scene;
  return {
    telemetry: quiet,
    refusals: createExpiringCache(100),
    renditions: createExpiringCache(100),
    ids: {
      bytes: () => new Uint8Array(),
      ulid: () => `01${unique()}`.padEnd(26, '0'),
      hex: (bytes) => unique().padStart(bytes * 2, '0'),
    },
    renderer: {
      render({ path, source }) {
        const fate = world.fateOf(process);
        if (fate.fault === 'throttled') return Promise.reject(new FunctionBusy('busy'));
        const render = () => {
          if (source.kind !== 'stored' || !files.has(source.path)) return { outcome: 'gone' } as const;
          const isNew = !files.has(path);
          files.add(path);
          return { outcome: 'stored', isNew } as const;
        };
        return world.call(process, render, Math.max(0, deadline.endsMs - process.clock.nowMs()), fate);
      },
    },
    // A real signature would take most of the time of a history.
    imageDomain: {
      ...imageDomain,
      signedUrls: { get: (name: string) => `signed ${name}?Signature=` } as never,
    },
    isStored: async (path) => files.has(path),
    aiLabel: 'off',
    generatorQueue: {
      handOver(job) {
        const fate = world.fateOf(process);
        const start = () => {
          startRun(scene, job, process.group);
          // Lambda may deliver an event twice.
          if (!world.isCalm() && fate.delay > 0.7)
            world.at(world.nowMs() + eventAgeMs * fate.delay, () => startRun(scene, job, process.group));
        };
        return world.call(process, start, eventAgeMs, fate);
      },
    },
  } satisfies Partial<AiServices>;
}

/** Starts a run of the generator for the group of the request that has handed it over. */
function startRun(scene: Scene, job: GenerationJob, group: string): void {
  const { world, files, runs, mistake } = scene;
  const serial = scene.unique();
  const { process, services } = world.begin(`run${serial}`, {
    timeMs: runTimeMs,
    group,
    skewMs: skewOf(scene, Number(serial)),
  });
  runs.set(job.generationId, [...(runs.get(job.generationId) ?? []), process]);
  const remove = (path: string) => void (mistake?.keepsFiles || files.delete(path));
  const generating = {
    ...services,
    telemetry: quiet,
    refusals: createExpiringCache<true>(10),
    imageStore: {
      put: (path: string) => world.call(process, () => void files.add(path), 10_000),
      remove: (path: string) => world.call(process, () => remove(path), 10_000),
    },
    codec: { measureImage: async () => ({ outcome: 'measured', widthPx: 1_536, heightPx: 1_024 }) },
    chooseModel: async () => ({
      ...{ name: 'm', kind: 'sandbox', startsFromImages: false, errors: {} },
      ask: () => draw(scene, process, job.generationId),
    }),
  };
  generateImage(generating as never, job, process.name).catch(() => {
    process.isUnsure = true;
  });
}

/** Answers a run that asks the model. */
async function draw(scene: Scene, process: Process, generationId: string): Promise<ModelReply> {
  const { history, world, timesAsked, billed } = scene;
  const planned = history.drawn[timesAsked.size % history.drawn.length];
  const { outcome, tookMs } = (!world.isCalm() && planned) || { outcome: 'image', tookMs: 2_000 };
  timesAsked.set(generationId, (timesAsked.get(generationId) ?? 0) + 1);
  judge(scene, breachesOfModel, generationId);
  if (outcome !== 'unbilled') billed.add(generationId);
  if (outcome === 'hangs') return new Promise<never>(() => undefined);
  await process.clock.sleep(tookMs);
  if (outcome === 'refused') return { refused: 'filter' };
  if (outcome === 'image') return { image: png };
  throw new ModelFailure(outcome === 'unbilled' ? 'final' : 'unknown', outcome);
}

/** Takes an image down, as the operator does. Does nothing if there is no such image. */
export async function takeDownImage({ world, files, unique }: Scene, key: ImageKey): Promise<void> {
  const { services } = world.begin(`operator${unique()}`, { isSafe: true });
  const aiImage = await readAiImage(services, key);
  if (!aiImage) return;
  const image = {
    ...({ kind: 'ai', pick: pickOfAiImage(makeImageId(key)), aiImage } as const),
    folders: [mastersFolder(key), renditionsFolder(key)],
  };
  const imageStore = {
    remove: async (path: string) => void files.delete(path),
    async *list(folder: string) {
      for (const path of [...files]) if (path.startsWith(folder)) yield path;
    },
  };
  const operator = {
    ...services,
    imageStore,
    ids: { hex: unique },
    invalidate: async () => undefined,
    storedLateMs: 60_000,
    printNote: () => undefined,
    readPrincipal: async () => 'me',
  };
  await takeDown(operator as never, image, { id: 'x', reason: 'asked' });
}

/** Deletes the files of an image from the image store. */
export function loseFiles({ files, lostFiles }: Scene, key: ImageKey): void {
  for (const path of files)
    if (path.startsWith(mastersFolder(key)) || path.startsWith(renditionsFolder(key))) {
      lostFiles.add(path);
      files.delete(path);
    }
}
