/** Requests for AI images and the generators that they start, on tables in memory and a moved clock. */

import type { KeyedCaller } from '../../lambda/credentials/caller';
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
import { serveAi } from '../../lambda/generation/serve-ai';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { AiRequest } from '../../lambda/requests/image-request';
import { aiCaller, aiRequest } from './ai';
import { aiServices } from './ai-services';
import { createFakeImageStore } from './image-store';
import { createRecordedTelemetry } from './recorded-telemetry';
import { aContext } from './request-context';
import { createVirtualClock, type VirtualClock } from './virtual-clock';

/** The first bytes of a PNG. */
const image = { image: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') };

/** The behaviour of a model at a request; `out`: it says that it made nothing. */
export type Drawing = (clock: VirtualClock) => Promise<ModelReply>;
export const drawing =
  (ms: number): Drawing =>
  async (clock) => {
    await clock.sleep(ms);
    return image;
  };
export const out: Drawing = async () => {
  throw new ModelFailure('final', 'out');
};
export const refusing: Drawing = async () => ({ refused: 'filter' });

export function aiWorld(parts: Partial<AiServices> = {}, startMs?: number) {
  const clock = createVirtualClock(startMs);
  const telemetry = createRecordedTelemetry();
  const bucket = createFakeImageStore();
  const jobs: GenerationJob[] = [];
  const world = { model: drawing(3_000), asked: 0, wanted: [] as ModelRequest[], startsFromImages: false };
  const model = (): Model => ({
    name: 'm',
    kind: 'sandbox',
    startsFromImages: world.startsFromImages,
    errors: {},
    ask: async (wanted) => {
      world.asked += 1;
      world.wanted.push(wanted);
      return world.model(clock);
    },
  });
  const { services, limits } = aiServices(clock, {
    telemetry,
    generatorQueue: {
      handOver: async (job) => {
        jobs.push(job);
        void generateImage(generating, job, services.ids.hex(8), clock.nowMs() + 140_000).catch(
          () => undefined,
        );
      },
    },
    renderer: {
      render: async ({ source }) =>
        source.kind === 'stored' && !(await bucket.get(source.path))
          ? { outcome: 'gone' }
          : { outcome: 'stored' },
    },
    ...parts,
  });
  const generating: GenerateServices = {
    ...services,
    bucket,
    codec: {
      measure: async () => ({ outcome: 'measured', mediaType: 'image/png', widthPx: 1_536, heightPx: 1_024 }),
    },
    modelFor: async () => model(),
  };
  let requests = 0;
  /** Asks as a new instance, which remembers nothing. */
  const ask = (
    change: Partial<AiRequest> = {},
    caller: KeyedCaller = aiCaller,
    context: Partial<RequestContext> = {},
  ) => {
    const instance = aiServices(clock).services;
    const nowMs = clock.nowMs();
    const own = aContext(caller, nowMs, { plans: services.plans, requestId: `r${requests++}`, ...context });
    const asking = { ...services, refusals: instance.refusals, renditions: instance.renditions };
    return serveAi(asking, { ...aiRequest, ...change }, caller, own);
  };
  return { ...limits, clock, telemetry, bucket, jobs, world, services, generating, ask };
}
