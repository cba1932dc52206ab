/** The generator: begins an execution, has a model draw its image, stores it, and makes it known once it is whole. */

import { orLogged } from '../base/or-logged';
import { settlingReserveMs } from '../contract/timeouts';
import type { ImageLibrary } from '../images/image-library';
import { giveBack, type LimitServices, take } from '../quota/take';
import { executionPath } from './generation-identity';
import { begin, fail, finish, type GenerationServices, type Master } from './generations';
import type { GenerationJob } from './generator-queue';
import { type Drawing, type DrawServices, draw, type Model, type Wanted } from './models/model';
import type { ModelFor } from './models/models';
import { promptFor } from './prompt';

/** What a generator needs of `Services`. */
export interface GenerateServices extends GenerationServices, LimitServices, DrawServices {
  readonly tables: GenerationServices['tables'] & LimitServices['tables'];
  readonly clock: DrawServices['clock'];
  readonly telemetry: DrawServices['telemetry'];
  readonly bucket: Pick<ImageLibrary, 'get' | 'put' | 'remove'>;
  readonly modelFor: ModelFor;
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
  const { key, execution, look } = job;
  if (!(await begin(services, key, execution, run))) return;
  const drawing = await draw(
    services,
    () => services.modelFor(key),
    (model) => wantedBy(services, job, model),
    endsMs - settlingReserveMs,
  );
  if (drawing.outcome === 'none') return endWithoutImage(services, job, drawing);
  const { image, extension, model, size } = drawing;
  const path = executionPath(key, execution, `master.${extension}`);
  const discard = (why: string) => orLogged(telemetry, why, () => bucket.remove(path));
  try {
    await bucket.put(path, image);
  } catch (error) {
    telemetry.error('A master could not be stored', error);
    await endWithoutImage(services, job, { why: 'upstream_unavailable', isUnbilled: false });
    await discard('A master that may be stored was not removed');
    return;
  }
  const master: Master = { path, model, ...size };
  const finished = await finish(services, key, execution, master, look);
  telemetry.count('generations', { outcome: finished });
  // Only where it is known: a finish whose answer is lost may have made this very file the shown one.
  if (finished === 'lost') await discard('A master that nobody shows was not removed');
}

/** What the model is asked for; a variation starts from its base where the model can. */
async function wantedBy(
  { bucket }: GenerateServices,
  { order, basePath }: GenerationJob,
  { startsFromImages }: Model,
): Promise<Wanted> {
  const { words, style, bucket: ratio, seed, variation } = order;
  const base =
    startsFromImages && variation !== undefined && basePath !== undefined
      ? await bucket.get(basePath)
      : undefined;
  return {
    ...promptFor(words, style, variation),
    ratio,
    seed,
    words,
    style,
    ...(variation !== undefined && { variation }),
    ...(base && { base: base.bytes }),
  };
}

async function endWithoutImage(
  services: GenerateServices,
  { key, execution, tries, counted, workLimits }: GenerationJob,
  { why, isUnbilled }: Omit<Extract<Drawing, { outcome: 'none' }>, 'outcome'>,
): Promise<void> {
  services.telemetry.count('generations', { outcome: why });
  // Before the units are back: a late copy of the event must find that the execution has ended.
  await fail(services, key, execution, { why, tries, isBegun: true });
  if (isUnbilled) await giveBack(services, counted);
  if (why !== 'content_refused') return;
  for (let unit = 0; unit < refusedPromptWork; unit++)
    for (const limit of workLimits) await take(services, [limit], execution);
}
