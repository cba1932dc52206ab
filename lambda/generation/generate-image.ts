/** Makes an image as the generator: begins, has a model draw it, stores it, and then makes it ready. */

import type { TableServices } from '../aws/dynamodb';
import { signalWithin } from '../base/deadline';
import { undefinedIfFailed } from '../base/telemetry';
import { imageStoreTimeoutsMs, settlingReserveMs } from '../contract/timeouts';
import type { ImageStore } from '../images/image-store';
import { detectImageType } from '../images/image-type';
import type * as sharpCodec from '../images/sharp/sharp-codec';
import { extensionOf, type StoredPath } from '../images/stored-path';
import type { Limit } from '../quota/limit';
import { giveBackUnits, type LimitServices, takeUnits, type Unit } from '../quota/take';
import { type AiImageIdentity, generationPath, mastersFolder } from './ai-image-identity';
import {
  beginRun,
  type FailureReason,
  failGeneration,
  finishImage,
  type Generation,
  type Master,
} from './ai-image-store';
import { drawImage, type Model, ModelFailure, type ModelRequest } from './models/model';
import type { ChooseModel } from './models/open-model';
import { writePrompt } from './prompt';

/** An image that the generator is to make, by a generation that has acquired it. Plain JSON. */
export interface GenerationJob extends Generation, Omit<AiImageIdentity, 'imageId'> {
  /** The units that were taken for it: given back where the model says that it made nothing. */
  readonly counted: readonly Unit[];
  /** Limits that count a prompt which the model refuses. */
  readonly workLimits: readonly Limit[];
  readonly basePath?: StoredPath | undefined;
}

/** The generator function behind Lambda, which is invoked and not waited for. */
export interface GeneratorQueue {
  /** Resolves once Lambda has accepted the job. @throws when Lambda refuses it, and when that is not known */
  handOver(job: GenerationJob): Promise<void>;
}

export interface GenerateServices extends LimitServices {
  readonly tables: LimitServices['tables'] & TableServices<'generationIndex'>['tables'];
  readonly imageStore: Pick<ImageStore, 'get' | 'put' | 'remove'>;
  readonly chooseModel: ChooseModel;
  readonly codec: Pick<typeof sharpCodec, 'measureImage'>;
}

/** Units of `work` that a refused prompt takes: the operator pays the model for refusing it. */
const refusedPromptWork = 5;

/**
 * Makes the image of a job, once however often its event is delivered.
 * @param run new for each invocation
 * @throws `Outage` when it is not known what became of the image; its lease then ends by itself
 */
export async function generateImage(
  services: GenerateServices,
  job: GenerationJob,
  run: string,
): Promise<void> {
  const { imageStore, telemetry } = services;
  if (!(await beginRun(services, job, run))) return;
  const drawn = await drawMaster(services, job);
  if ('reason' in drawn) return endWithoutImage(services, job, drawn);
  const { bytes, master } = drawn;
  const discard = (failure: string) =>
    undefinedIfFailed(telemetry, failure, () => imageStore.remove(master.path));
  try {
    await imageStore.put(master.path, bytes, signalWithin(services, imageStoreTimeoutsMs.put));
  } catch (error) {
    telemetry.error('A master could not be stored', error);
    await endWithoutImage(services, job, { reason: 'upstream_unavailable', isUnbilled: false });
    await discard('A master that may be stored was not removed');
    return;
  }
  const finished = await finishImage(services, job, master, job.wordsAndStyleHash);
  telemetry.count('generations', { outcome: finished });
  // `finishImage` throws where its answer is lost: the master may be shown by then, and stays.
  if (finished === 'lost') await discard('A master that nobody shows was not removed');
}

interface DrawnMaster {
  readonly bytes: Uint8Array;
  readonly master: Master;
}

/** The reason for having no image. `isUnbilled`: the model says that it made nothing. */
interface NoImage {
  readonly reason: Exclude<FailureReason, 'not_started'>;
  readonly isUnbilled: boolean;
}

/** Has the model draw an image, and measures it. A failure of either is returned. */
async function drawMaster(services: GenerateServices, job: GenerationJob): Promise<DrawnMaster | NoImage> {
  const { clock, deadline, telemetry } = services;
  const model = await services.chooseModel(job.key);
  const generator = model.kind;
  const startMs = clock.nowMs();
  try {
    const request = await modelRequestFor(services, job, model);
    const drawing = await drawImage(model, request, clock, deadline.endsMs - settlingReserveMs);
    telemetry.time('generatorLatency', clock.nowMs() - startMs, { generator });
    if ('image' in drawing) return await measure(services, job, model, drawing.image);
    telemetry.info('The generator refused an image', { generator, reason: drawing.refused });
    return { reason: 'content_refused', isUnbilled: false };
  } catch (error) {
    const kind = error instanceof ModelFailure ? error.kind : 'unknown';
    telemetry.error('The generator failed', error, { generator, kind });
    return { reason: 'upstream_unavailable', isUnbilled: kind !== 'unknown' };
  }
}

/** Measures an image. @throws `ModelFailure` where it cannot be: then no rendition could be made of it */
async function measure(
  { codec }: GenerateServices,
  job: GenerationJob,
  { name }: Model,
  bytes: Uint8Array,
): Promise<DrawnMaster> {
  const extension = extensionOf(detectImageType(bytes) ?? '');
  if (extension === undefined) throw new ModelFailure('unknown', 'No image was sent');
  const size = await codec.measureImage(bytes);
  if (size.outcome !== 'measured') throw new ModelFailure('unknown', size.reason);
  const { widthPx, heightPx } = size;
  const path = generationPath(mastersFolder(job.key), job.generationId, `master.${extension}`);
  return { bytes, master: { path, model: name, widthPx, heightPx } };
}

/**
 * Makes the request for the model. A variation starts from the base image where the model can.
 * @throws `ModelFailure` when the base image cannot be read
 */
async function modelRequestFor(
  { imageStore }: GenerateServices,
  { order, basePath }: GenerationJob,
  { startsFromImages }: Model,
): Promise<ModelRequest> {
  const request = { ...order, ...writePrompt(order) };
  if (!startsFromImages || order.variation === undefined || basePath === undefined) return request;
  const base = await imageStore.get(basePath).catch((cause: unknown) => {
    throw new ModelFailure('passing', 'The base image could not be read', { cause });
  });
  return { ...request, ...(base && { base: base.bytes }) };
}

async function endWithoutImage(
  services: GenerateServices,
  job: GenerationJob,
  { reason, isUnbilled }: NoImage,
): Promise<void> {
  services.telemetry.count('generations', { outcome: reason });
  // The generation ends before units are given back: a late copy of the event must not begin it.
  await failGeneration(services, job, reason);
  if (isUnbilled) await giveBackUnits(services, job.counted);
  if (reason !== 'content_refused') return;
  for (let unit = 0; unit < refusedPromptWork; unit++)
    for (const limit of job.workLimits) await takeUnits(services, [limit], job.generationId);
}
