/** Makes an AI image, in the function `generator`: asks the model, stores the master, and makes the image ready. */

import type { TableServices } from '../aws/dynamodb';
import { createSignal } from '../base/deadline';
import { tryAndLog } from '../base/telemetry';
import { imageStoreTimeoutsMs, settlingReserveMs } from '../contract/timeouts';
import type { ImageStore } from '../images/image-store';
import { detectImageType } from '../images/image-type';
import type * as sharpCodec from '../images/sharp/sharp-codec';
import { findExtension, type StoredPath } from '../images/stored-path';
import type { Limit } from '../quota/limit';
import { giveBackUnits, type LimitServices, takeUnits, type Unit } from '../quota/take';
import { type AiImageIdentity, makeGenerationPath, makeMastersFolder } from './ai-image-identity';
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

/** A generation that holds its image, as plain JSON for the generator. */
export interface GenerationJob extends Generation, Omit<AiImageIdentity, 'imageId'> {
  /** The units that were taken for the generation. They are given back if nothing was made. */
  readonly countedUnits: readonly Unit[];
  /** The limits that a refused prompt takes units of. */
  readonly workLimits: readonly Limit[];
  readonly basePath?: StoredPath | undefined;
}

/** Invokes the generator function, without waiting for its end. */
export interface GeneratorQueue {
  /** Resolves once Lambda has accepted the job. Rejects if Lambda refuses the job or does not answer. */
  handOver(job: GenerationJob): Promise<void>;
}

export interface GenerateServices extends LimitServices {
  readonly tables: LimitServices['tables'] & TableServices<'generationIndex'>['tables'];
  readonly imageStore: Pick<ImageStore, 'get' | 'put' | 'remove'>;
  readonly chooseModel: ChooseModel;
  readonly codec: Pick<typeof sharpCodec, 'measureImage'>;
}

/** Units of `work` that a refused prompt takes, because the operator pays the model for it. */
const refusedPromptWork = 5;

/**
 * Makes the image of a job and stores it. If the event is delivered twice, the second run does nothing.
 * @param run a new id for each invocation
 * @throws `Outage` when the state of the image is unknown. Its lease ends after a time.
 */
export async function generateImage(
  services: GenerateServices,
  job: GenerationJob,
  run: string,
): Promise<void> {
  if (!(await beginRun(services, job, run))) return;
  const master = await drawMaster(services, job);
  if ('reason' in master) return settleFailedGeneration(services, job, master);
  const isShown = await finishImage(services, job, master, job.wordsAndStyleHash);
  services.telemetry.count('generations', { outcome: isShown ? 'ready' : 'lost' });
  // If `finishImage` throws, the master may be shown, and stays.
  if (!isShown) await removeMaster(services, master);
}

async function removeMaster({ imageStore, telemetry }: GenerateServices, { path }: Master): Promise<void> {
  await tryAndLog(telemetry, 'A master was not removed', () => imageStore.remove(path));
}

/** The reason why a model has drawn no image. `isUnbilled`: it costs nothing, so the units are given back. */
interface FailedDrawing {
  readonly reason: Exclude<FailureReason, 'not_started'>;
  readonly isUnbilled: boolean;
}

/** Asks the model for an image, and stores it. Does not throw: a failure is returned. */
async function drawMaster(services: GenerateServices, job: GenerationJob): Promise<Master | FailedDrawing> {
  const { clock, deadline, telemetry } = services;
  const model = await tryAndLog(telemetry, 'A model was not opened', () => services.chooseModel(job.key));
  if (!model) return { reason: 'upstream_unavailable', isUnbilled: true };
  const generator = model.kind;
  const startMs = clock.nowMs();
  try {
    const request = await writeModelRequest(services, job, model);
    const drawing = await drawImage(model, request, clock, deadline.endsMs - settlingReserveMs);
    telemetry.time('generatorLatency', clock.nowMs() - startMs, { generator });
    if ('image' in drawing) return await storeMaster(services, job, model, drawing.image);
    telemetry.info('The generator refused an image', { generator, reason: drawing.refused });
    return { reason: 'content_refused', isUnbilled: false };
  } catch (error) {
    const kind = error instanceof ModelFailure ? error.kind : 'unknown';
    telemetry.error('The generator failed', error, { generator, kind });
    return { reason: 'upstream_unavailable', isUnbilled: kind !== 'unknown' };
  }
}

/** Stores an image. @throws `ModelFailure` when no rendition can be made of it, or when it may not be stored */
async function storeMaster(
  services: GenerateServices,
  job: GenerationJob,
  { name }: Model,
  bytes: Uint8Array,
): Promise<Master> {
  const extension = findExtension(detectImageType(bytes) ?? '');
  if (extension === undefined) throw new ModelFailure('unknown', 'No image was sent');
  const size = await services.codec.measureImage(bytes);
  if (size.outcome !== 'measured') throw new ModelFailure('unknown', size.reason);
  const path = makeGenerationPath(makeMastersFolder(job.key), job.generationId, `master.${extension}`);
  const master = { path, model: name, widthPx: size.widthPx, heightPx: size.heightPx };
  try {
    await services.imageStore.put(path, bytes, createSignal(services, imageStoreTimeoutsMs.put));
  } catch (cause) {
    // The master may be stored in spite of the error.
    await removeMaster(services, master);
    throw new ModelFailure('unknown', 'The master could not be stored', { cause });
  }
  return master;
}

/**
 * Makes the request for the model. A variation starts from the base image if the model can do so.
 * @throws `ModelFailure` when the base image cannot be read
 */
async function writeModelRequest(
  { imageStore }: GenerateServices,
  { task, basePath }: GenerationJob,
  { startsFromImages }: Model,
): Promise<ModelRequest> {
  const request = { ...task, ...writePrompt(task) };
  if (!startsFromImages || task.variation === undefined || basePath === undefined) return request;
  const base = await imageStore.get(basePath).catch((cause: unknown) => {
    throw new ModelFailure('passing', 'The base image could not be read', { cause });
  });
  return { ...request, ...(base && { base: base.bytes }) };
}

/** Ends a generation without an image, and settles its units. A refused prompt takes `work`. */
async function settleFailedGeneration(
  services: GenerateServices,
  job: GenerationJob,
  { reason, isUnbilled }: FailedDrawing,
): Promise<void> {
  services.telemetry.count('generations', { outcome: reason });
  // The units are given back after the generation has failed, so that a late copy of the event cannot begin it.
  await failGeneration(services, job, reason);
  if (isUnbilled) await giveBackUnits(services, job.countedUnits);
  if (reason !== 'content_refused') return;
  for (let unit = 0; unit < refusedPromptWork; unit++)
    for (const limit of job.workLimits) await takeUnits(services, [limit], job.generationId);
}
