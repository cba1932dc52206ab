/** The generator: begins an execution, has a model draw the image, stores it, and then makes it ready. */

import type { TableServices } from '../aws/dynamodb';
import { signalWithin } from '../base/deadline';
import { orLogged } from '../base/telemetry';
import { imageStoreTimeoutsMs, settlingReserveMs } from '../contract/timeouts';
import type { ImageStore } from '../images/image-store';
import { imageTypeOf } from '../images/image-type';
import type * as sharpCodec from '../images/sharp/sharp-codec';
import { extensionOf, type StoredPath } from '../images/stored-path';
import type { Limit } from '../quota/limit';
import { giveBack, type LimitServices, take, type Unit } from '../quota/take';
import { type AiImageIdentity, executionPath, mastersFolder } from './ai-image-identity';
import {
  beginRun,
  type Execution,
  type FailureReason,
  failExecution,
  finishImage,
  type Master,
} from './ai-image-store';
import { drawImage, type Model, ModelFailure, type ModelRequest } from './models/model';
import type { ModelFor } from './models/open-model';
import { promptFor } from './prompt';

/** An image that the generator is to make, by an execution that has acquired it. Plain JSON. */
export interface GenerationJob extends Execution, Omit<AiImageIdentity, 'imageId'> {
  /** The units that were taken for it: given back where the model says that it made nothing. */
  readonly counted: readonly Unit[];
  /** Limits that count a prompt which the model refuses. */
  readonly workLimits: readonly Limit[];
  /** Master of the base image, for a variation. */
  readonly basePath?: StoredPath | undefined;
}

/** The generator function behind Lambda, which is invoked and not waited for. */
export interface GeneratorQueue {
  /** Resolves once Lambda has accepted the job. @throws when Lambda refuses it, and when that is not known */
  handOver(job: GenerationJob): Promise<void>;
}

export interface GenerateServices extends LimitServices {
  readonly tables: LimitServices['tables'] & TableServices<'generationIndex'>['tables'];
  readonly bucket: Pick<ImageStore, 'get' | 'put' | 'remove'>;
  readonly modelFor: ModelFor;
  readonly codec: Pick<typeof sharpCodec, 'measureImage'>;
}

/** Units of `work` that a refused prompt takes: the operator pays the model for refusing it. */
const refusedPromptWork = 5;

/**
 * Makes the image of a job, once however often its event is delivered.
 * @param run new for each invocation
 * @param endsMs moment (epoch, milliseconds) at which the function must be done
 * @throws `Outage` when it is not known what became of the image; its lease then ends by itself
 */
export async function generateImage(
  services: GenerateServices,
  job: GenerationJob,
  run: string,
  endsMs: number,
): Promise<void> {
  const { bucket, telemetry } = services;
  if (!(await beginRun(services, job, run))) return;
  const drawing = await drawMaster(services, job, endsMs - settlingReserveMs);
  if ('why' in drawing) return endWithoutImage(services, job, drawing);
  const { bytes, master } = drawing;
  const discard = (why: string) => orLogged(telemetry, why, () => bucket.remove(master.path));
  try {
    await bucket.put(master.path, bytes, signalWithin(services, imageStoreTimeoutsMs.put));
  } catch (error) {
    telemetry.error('A master could not be stored', error);
    await endWithoutImage(services, job, { why: 'upstream_unavailable', isUnbilled: false });
    await discard('A master that may be stored was not removed');
    return;
  }
  const finished = await finishImage(services, job, master, job.wordsAndStyleHash);
  telemetry.count('generations', { outcome: finished });
  // `finishImage` throws where its answer is lost: the master may be shown by then, and stays.
  if (finished === 'lost') await discard('A master that nobody shows was not removed');
}

/** The reason for having no image. `isUnbilled`: the model says that it made nothing. */
interface NoImage {
  readonly why: Exclude<FailureReason, 'not_started'>;
  readonly isUnbilled: boolean;
}

/** Has the model draw an image, and measures it. Never throws. */
async function drawMaster(
  services: GenerateServices,
  job: GenerationJob,
  endsMs: number,
): Promise<{ readonly bytes: Uint8Array; readonly master: Master } | NoImage> {
  const { clock, codec, telemetry } = services;
  let generator = 'none';
  try {
    const model = await services.modelFor(job.key);
    generator = model.kind;
    const startMs = clock.nowMs();
    const drawing = await drawImage(model, await modelRequestFor(services, job, model), clock, endsMs);
    telemetry.time('generatorLatency', clock.nowMs() - startMs, { generator });
    if ('refused' in drawing) {
      telemetry.info('The generator refused an image', { generator, reason: drawing.refused });
      return { why: 'content_refused', isUnbilled: false };
    }
    const bytes = drawing.image;
    const extension = extensionOf(imageTypeOf(bytes) ?? '');
    const size = extension === undefined ? undefined : await codec.measureImage(bytes);
    // No rendition could be made of an image that cannot be measured.
    if (size?.outcome !== 'measured') throw new ModelFailure('unknown', size?.reason ?? 'No image was sent');
    const { widthPx, heightPx } = size;
    const path = executionPath(mastersFolder(job.key), job.execution, `master.${extension}`);
    return { bytes, master: { path, model: model.name, widthPx, heightPx } };
  } catch (error) {
    const kind = error instanceof ModelFailure ? error.kind : 'unknown';
    telemetry.error('The generator failed', error, { generator, kind });
    return { why: 'upstream_unavailable', isUnbilled: kind !== 'unknown' };
  }
}

/**
 * Makes the request for the model. A variation starts from the base image where the model can.
 * @throws `ModelFailure` when the base image cannot be read
 */
async function modelRequestFor(
  { bucket }: GenerateServices,
  { order, basePath }: GenerationJob,
  { startsFromImages }: Model,
): Promise<ModelRequest> {
  const request = { ...order, ...promptFor(order) };
  if (!startsFromImages || order.variation === undefined || basePath === undefined) return request;
  const base = await bucket.get(basePath).catch((cause: unknown) => {
    throw new ModelFailure('passing', 'The base image could not be read', { cause });
  });
  return { ...request, ...(base && { base: base.bytes }) };
}

async function endWithoutImage(
  services: GenerateServices,
  job: GenerationJob,
  { why, isUnbilled }: NoImage,
): Promise<void> {
  services.telemetry.count('generations', { outcome: why });
  // The execution ends before units are given back: a late copy of the event must not begin it.
  await failExecution(services, job, why);
  if (isUnbilled) await giveBack(services, job.counted);
  if (why !== 'content_refused') return;
  for (let unit = 0; unit < refusedPromptWork; unit++)
    for (const limit of job.workLimits) await take(services, [limit], job.execution);
}
