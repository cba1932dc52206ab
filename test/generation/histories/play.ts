/** Plays a history: requests, runs of the generator, the operator, and files that get lost. */

import { createExpiringCache } from '../../../lambda/base/expiring-cache';
import { defaultPlans } from '../../../lambda/contract/plans';
import { closingReserveMs, requestBudgetMs } from '../../../lambda/contract/timeouts';
import { type ImageKey, identifyAiImage, makeImageId } from '../../../lambda/generation/ai-image-identity';
import { removeImage } from '../../../lambda/generation/ai-image-store';
import type { AiServices } from '../../../lambda/generation/ai-services';
import { type GenerationJob, generateImage } from '../../../lambda/generation/generate-image';
import { ModelFailure, type ModelReply } from '../../../lambda/generation/models/model';
import { getQuotaLimit } from '../../../lambda/quota/caller-limits';
import { makeCounterKey } from '../../../lambda/quota/limit';
import { imageDomain, serveAi } from '../../fakes/ai-services';
import { createWorld, type Mistake } from '../../fakes/faulty-world';
import { createFakeIds } from '../../fakes/ids';
import { quiet } from '../../fakes/telemetry';
import { aiCaller, aiRequest, makeAccountId, makeContext } from '../../fakes/values';
import type { History } from './history';
import { type AskedRequest, checkEnd, checkModelCall, noteWrite, type Scene } from './promises';

const runTimeMs = 140_000;
/** The first bytes of a PNG. */
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Plays a history, and returns the promises that it breaks. A `mistake` changes what the code sends. */
export async function findBrokenPromises(history: History, mistake?: Mistake): Promise<readonly string[]> {
  const scene: Scene = {
    history,
    keepsFiles: mistake?.keepsFiles === true,
    ids: createFakeIds(),
    world: createWorld(history.startMs, history.fates, (write) => noteWrite(scene, write), mistake),
    broken: new Set(),
    units: new Map(),
    files: new Set(),
    lostFiles: new Set(),
    acquirers: new Map(),
    runs: new Map(),
    timesAsked: new Map(),
    billed: new Set(),
    finished: new Set(),
    requests: [],
  };
  for (const act of history.acts)
    scene.world.schedule(history.startMs + act.afterMs, () => performAct(scene, act));
  await scene.world.run();
  checkEnd(scene);
  return [...scene.broken];
}

function performAct(scene: Scene, act: History['acts'][number]): void {
  const { account, query, visibility } = act;
  const caller = { ...aiCaller, account: makeAccountId(account) };
  const { key } = identifyAiImage({ ...aiRequest, query, visibility }, caller, undefined);
  if (act.does === 'asks') ask(scene, act);
  else if (act.does === 'loses the files') loseFiles(scene, key);
  else {
    const { services } = scene.world.begin('operator');
    const removal = removeImage(services, key).then(() => loseFiles(scene, key));
    removal.catch(() => undefined);
  }
}

/** Deletes the files of an image from the image store. */
function loseFiles({ files, lostFiles }: Scene, key: ImageKey): void {
  for (const path of files)
    if (path.includes(makeImageId(key))) {
      lostFiles.add(path);
      files.delete(path);
    }
}

/** Sends a request. Its answer is noted later. */
function ask(scene: Scene, { account, query, visibility, wants, skewMs }: History['acts'][number]): void {
  const { world, files, ids, runs, history } = scene;
  const requestId = `request ${ids.makeHex(8)}`;
  const timing = { timeMs: requestBudgetMs, spareMs: closingReserveMs, skewMs };
  const { process, services } = world.begin(requestId, timing);
  const caller = { ...aiCaller, account: makeAccountId(account) };
  const { requests, generations, perDay } = history.max;
  const pro = { ...defaultPlans.pro, monthlyRequests: requests, generationsPerMonth: generations };
  const plans = { ...defaultPlans, pro };
  const aiServices: AiServices = {
    ...services,
    plans,
    generationsPerDay: perDay,
    countUnreservedExecutions: async () => 32,
    telemetry: quiet,
    refusals: createExpiringCache(100),
    renditions: createExpiringCache(100),
    ids,
    renderer: {
      render: ({ path, source }) =>
        world.call(process, () => {
          if (source.kind !== 'stored' || !files.has(source.path)) return { outcome: 'gone' };
          const isNew = !files.has(path);
          files.add(path);
          return { outcome: 'stored', isNew };
        }),
    },
    // A real signature would take most of the time of a history.
    imageDomain: {
      ...imageDomain,
      signedUrls: { get: (path: string) => `signed ${path}?Signature=` } as never,
    },
    isStored: async (path) => files.has(path),
    aiLabel: 'off',
    generatorQueue: {
      handOver: (job) =>
        world.call(process, () => {
          startRun(scene, job, requestId);
          // Lambda may deliver an event twice.
          if (runs.size % 3 === 0)
            world.schedule(world.nowMs() + 40_000, () => startRun(scene, job, requestId));
        }),
    },
  };
  const context = makeContext(caller, services.clock.nowMs(), { plans, requestId });
  const counter = makeCounterKey(getQuotaLimit(context.requestLimits));
  const request: AskedRequest = { process, caller, counter, tookMs: Infinity };
  scene.requests.push(request);
  const beganMs = world.nowMs();
  const end = (how: Pick<AskedRequest, 'answer' | 'error'>) =>
    Object.assign(request, { tookMs: world.nowMs() - beganMs, ...how });
  serveAi(aiServices, { ...aiRequest, query, visibility, ...wants }, caller, context).then(
    (answer) => end({ answer }),
    (error: unknown) => end({ error }),
  );
}

/** Starts a run of the generator, with the name of the request that has handed it over. */
function startRun(scene: Scene, job: GenerationJob, name: string): void {
  const { world, files, runs, keepsFiles, ids, history } = scene;
  const plannedRun = history.runs[runs.size % history.runs.length] as History['runs'][number];
  const { process, services } = world.begin(name, { timeMs: runTimeMs, skewMs: plannedRun.skewMs });
  runs.set(job.generationId, [...(runs.get(job.generationId) ?? []), process]);
  const generateServices = {
    ...services,
    telemetry: quiet,
    refusals: createExpiringCache<true>(10),
    imageStore: {
      put: (path: string) => world.call(process, () => void files.add(path)),
      remove: (path: string) => world.call(process, () => void (keepsFiles || files.delete(path))),
    },
    codec: { measureImage: async () => ({ outcome: 'measured', widthPx: 1_536, heightPx: 1_024 }) },
    chooseModel: async () => ({
      ...{ name: 'm', kind: 'sandbox', startsFromImages: false },
      ask: async () => {
        checkModelCall(scene, job.generationId, plannedRun.outcome !== 'unbilled');
        return draw(plannedRun, services.clock.sleep);
      },
    }),
  };
  generateImage(generateServices as never, job, ids.makeHex(8)).catch(() => {
    process.isDisturbed = true;
  });
}

async function draw(
  { outcome, tookMs }: History['runs'][number],
  sleep: (ms: number) => Promise<void>,
): Promise<ModelReply> {
  if (outcome === 'hangs') return new Promise<never>(() => undefined);
  await sleep(tookMs);
  if (outcome === 'refused') return { refused: 'filter' };
  if (outcome === 'image') return { image: png };
  throw new ModelFailure(outcome === 'unbilled' ? 'final' : 'unknown', outcome);
}
