/** The generator: begins an execution, has a model draw its image, stores it, and makes it known once it is whole. */

import type { Clock } from '../base/clock';
import { signalWithin } from '../base/deadline';
import { orLogged } from '../base/or-logged';
import { imageLibraryTimeoutsMs, settlingReserveMs } from '../contract/timeouts';
import type { ImageLibrary, StoredImage } from '../images/image-library';
import { imageTypeOf } from '../images/image-type';
import { extensionOf, type LibraryPath } from '../images/library-path';
import type * as sharpCodec from '../images/sharp/sharp-codec';
import type { Limit } from '../quota/limit';
import { giveBack, type LimitServices, take, type Unit } from '../quota/take';
import { type DrawingOrder, executionPath, imageFolder } from './generation-identity';
import {
  begin,
  type Execution,
  type FailureReason,
  fail,
  finish,
  type GenerationServices,
  type Master,
} from './generations';
import { draw, type Model, ModelFailure, type Wanted } from './models/model';
import type { ModelFor } from './models/models';
import { promptFor } from './prompt';

/** One image to be made, by an execution that holds it already. Plain JSON. */
export interface GenerationJob extends Execution {
  readonly order: DrawingOrder;
  /** What has counted it: given back there where the model says that it made nothing. */
  readonly counted: readonly Unit[];
  /** What a prompt that the model refuses is counted in. */
  readonly workLimits: readonly Limit[];
  /** Name under which `alt` finds a public image; absent for a private one. */
  readonly look?: string;
  /** Master of the base image, for a variation. */
  readonly basePath?: LibraryPath;
}

/** Starts the generator function. */
export interface GeneratorQueue {
  /** Resolves once Lambda has accepted the job. @throws when it was refused, and when it is not known whether it was accepted */
  handOver(job: GenerationJob): Promise<void>;
}

/** What a generator needs of `Services`. */
export interface GenerateServices extends GenerationServices, LimitServices {
  readonly tables: GenerationServices['tables'] & LimitServices['tables'];
  readonly clock: Clock;
  readonly bucket: Pick<ImageLibrary, 'get' | 'put' | 'remove'>;
  readonly modelFor: ModelFor;
  readonly codec: Pick<typeof sharpCodec, 'measure'>;
}

/** Units of `work` that a refused prompt takes, one after another: it has cost the operator a request to the model. */
const refusedPromptWork = 5;

/**
 * Runs a job once, however often its event is delivered.
 * @param run new for each invocation
 * @param endsMs moment (epoch, milliseconds) at which the function must be done
 * @throws `Outage` when it is not known what became of the image; its lease then ends by itself
 */
export async function generate(
  services: GenerateServices,
  job: GenerationJob,
  run: string,
  endsMs: number,
): Promise<void> {
  const { bucket, telemetry } = services;
  if (!(await begin(services, job, run))) return;
  const made = await drawMaster(services, job, endsMs - settlingReserveMs);
  if ('why' in made) return endWithoutImage(services, job, made);
  const { image, master } = made;
  const discard = (why: string) => orLogged(telemetry, why, () => bucket.remove(master.path));
  try {
    await bucket.put(master.path, image, signalWithin(services, imageLibraryTimeoutsMs.put));
  } catch (error) {
    telemetry.error('A master could not be stored', error);
    await endWithoutImage(services, job, { why: 'upstream_unavailable', isUnbilled: false });
    await discard('A master that may be stored was not removed');
    return;
  }
  const finished = await finish(services, job, master, job.look);
  telemetry.count('generations', { outcome: finished });
  // Only a finish that is known to be lost: one whose answer did not arrive may have made this file the shown one.
  if (finished === 'lost') await discard('A master that nobody shows was not removed');
}

/** `isUnbilled`: the model itself says that it made nothing. */
interface NoImage {
  readonly why: Exclude<FailureReason, 'not_started'>;
  readonly isUnbilled: boolean;
}

/** Has the model draw an image that renditions can be made of. Never throws. */
async function drawMaster(
  services: GenerateServices,
  job: GenerationJob,
  endsMs: number,
): Promise<{ readonly image: StoredImage; readonly master: Master } | NoImage> {
  const { clock, codec, telemetry } = services;
  let generator = 'none';
  try {
    const model = await services.modelFor(job.key);
    generator = model.kind;
    const startMs = clock.nowMs();
    const drawn = await draw(model, await wantedOf(services, job, model), clock, endsMs);
    telemetry.time('generatorLatency', clock.nowMs() - startMs, { generator });
    if ('refused' in drawn) {
      telemetry.info('The generator refused an image', { generator, reason: drawn.refused });
      return { why: 'content_refused', isUnbilled: false };
    }
    const mediaType = imageTypeOf(drawn.image) ?? '';
    const extension = extensionOf(mediaType);
    const size = extension === undefined ? undefined : await codec.measure(drawn.image);
    // An image that cannot be measured would count as finished, and could never be delivered.
    if (size?.outcome !== 'measured') throw new ModelFailure('unknown', size?.reason ?? 'No image was sent');
    const { widthPx, heightPx } = size;
    const path = executionPath(imageFolder(job.key), job.execution, `master.${extension}`);
    const image = { bytes: drawn.image, mediaType };
    return { image, master: { path, model: model.name, widthPx, heightPx } };
  } catch (error) {
    const kind = error instanceof ModelFailure ? error.kind : 'unknown';
    telemetry.error('The generator failed', error, { generator, kind });
    return { why: 'upstream_unavailable', isUnbilled: kind !== 'unknown' };
  }
}

/**
 * What the model is asked for; a variation starts from its base where the model can.
 * @throws `ModelFailure` that costs nothing, as no model was asked
 */
async function wantedOf(
  { bucket }: GenerateServices,
  { order, basePath }: GenerationJob,
  { startsFromImages }: Model,
): Promise<Wanted> {
  const wanted = { ...order, ...promptFor(order) };
  if (!startsFromImages || order.variation === undefined || basePath === undefined) return wanted;
  const base = await bucket.get(basePath).catch((cause: unknown) => {
    throw new ModelFailure('passing', 'The base image could not be read', { cause });
  });
  return { ...wanted, ...(base && { base: base.bytes }) };
}

async function endWithoutImage(
  services: GenerateServices,
  job: GenerationJob,
  { why, isUnbilled }: NoImage,
): Promise<void> {
  services.telemetry.count('generations', { outcome: why });
  // Before the units are back: a late copy of the event must find that the execution has ended.
  await fail(services, job, why);
  if (isUnbilled) await giveBack(services, job.counted);
  if (why !== 'content_refused') return;
  for (let unit = 0; unit < refusedPromptWork; unit++)
    for (const limit of job.workLimits) await take(services, [limit], job.execution);
}
