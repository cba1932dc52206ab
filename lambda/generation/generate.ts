/** The generator: makes the one image of a job, and makes it known once it is stored whole. */

import type { StoredImage } from '../images/image-library';
import { giveBack, type LimitServices, take } from '../quota/take';
import { type Drawing, type DrawServices, draw } from './draw';
import { executionPath } from './generation-identity';
import { begin, fail, finish, type GenerationServices, type Master } from './generations';
import type { GenerationJob } from './generator-queue';

/** What a generator needs of `Services`. */
export interface GenerateServices extends GenerationServices, LimitServices, DrawServices {
  readonly tables: GenerationServices['tables'] & LimitServices['tables'];
  readonly bucket: DrawServices['bucket'] & {
    put(path: Master['path'], image: StoredImage): Promise<unknown>;
    remove(path: Master['path']): Promise<void>;
  };
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
  const { key, execution, look } = job;
  if (!(await begin(services, key, execution, run))) return;
  const drawing = await draw(services, job, endsMs);
  if (drawing.outcome === 'none') return endWithoutImage(services, job, drawing);
  const { image, extension, model, size } = drawing;
  const path = executionPath(key, execution, `master.${extension}`);
  try {
    await services.bucket.put(path, image);
  } catch (error) {
    services.telemetry.error('A master could not be stored', error);
    await endWithoutImage(services, job, { outcome: 'none', why: 'upstream_unavailable', isUnbilled: false });
    return discard(services, path);
  }
  const finished = await finish(services, key, execution, { path, model, ...size }, look);
  services.telemetry.count('generations', { outcome: finished });
  // Only where it is known: a finish whose answer is lost may have made this very file the shown one.
  if (finished === 'lost') await discard(services, path);
}

async function endWithoutImage(
  services: GenerateServices,
  { key, execution, tries, counted, workLimits }: GenerationJob,
  { why, isUnbilled }: Extract<Drawing, { outcome: 'none' }>,
): Promise<void> {
  services.telemetry.count('generations', { outcome: why });
  // Before the units are back: a late copy of the event must find that the execution has ended.
  await fail(services, key, execution, { why, tries, isBegun: true });
  if (isUnbilled) await giveBack(services, counted);
  if (why !== 'content_refused') return;
  for (let unit = 0; unit < refusedPromptWork; unit++)
    for (const limit of workLimits) await take(services, [limit], execution);
}

async function discard({ bucket, telemetry }: GenerateServices, path: Master['path']): Promise<void> {
  try {
    await bucket.remove(path);
  } catch (error) {
    telemetry.error('A master that nobody shows was not removed', error);
  }
}
