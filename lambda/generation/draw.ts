/** Asks a model for one master image within a deadline, with every failure as a value. */

import type { Clock } from '../base/clock';
import { DeadlineReached, withDeadline } from '../base/deadline';
import type { Telemetry } from '../base/telemetry';
import { settlingReserveMs } from '../contract/timeouts';
import type { ImageLibrary, StoredImage } from '../images/image-library';
import { extensionOf } from '../images/library-path';
import type * as sharpCodec from '../images/sharp/sharp-codec';
import type { Size } from '../requests/rendition';
import type { ImageKey } from './generation-identity';
import type { FailureReason } from './generations';
import { type Generator, GeneratorFailure, type GeneratorRequest } from './generator';
import type { GenerationJob } from './generator-queue';
import { promptFor } from './prompt';

/** What a model has made of a job. */
export type Drawing =
  | {
      readonly outcome: 'image';
      readonly image: StoredImage;
      readonly size: Size;
      /** Name of the model that drew it. */
      readonly model: string;
      /** File name extension of its media type. */
      readonly extension: string;
    }
  /** `isUnbilled`: the model itself says that it made nothing. An answer that is lost may have been billed. */
  | {
      readonly outcome: 'none';
      readonly why: Exclude<FailureReason, 'not_started'>;
      readonly isUnbilled: boolean;
    };

/** What drawing needs of `Services`. */
export interface DrawServices {
  /** The model that draws an image: the account's test keys may have the sandbox. */
  readonly modelFor: (key: ImageKey) => Promise<{
    /** Under which its latency is measured. */
    readonly name: string;
    readonly generator: Generator;
  }>;
  readonly bucket: Pick<ImageLibrary, 'get'>;
  readonly codec: Pick<typeof sharpCodec, 'measure'>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/**
 * Leaves the function time to store the image and to finish. Never throws.
 * @param endsMs moment (epoch, milliseconds) at which the function must be done
 */
export async function draw(services: DrawServices, job: GenerationJob, endsMs: number): Promise<Drawing> {
  const { clock, codec, telemetry } = services;
  let name = 'none';
  try {
    const model = await services.modelFor(job.key);
    const { generator } = model;
    name = model.name;
    const startMs = clock.nowMs();
    const drawn = await withDeadline(clock, endsMs - settlingReserveMs, async (signal) =>
      generator.generate(await requestFor(services, job, generator), signal),
    );
    telemetry.time('generatorLatency', clock.nowMs() - startMs, { generator: name });
    if (drawn.outcome === 'refused') {
      telemetry.info('The generator refused an image', { generator: name, reason: drawn.reason });
      return { outcome: 'none', why: 'content_refused', isUnbilled: false };
    }
    const { bytes, mediaType } = drawn;
    const extension = extensionOf(mediaType);
    if (extension === undefined) throw new GeneratorFailure('malformed', `It answered with ${mediaType}`);
    const measured = await codec.measure(bytes);
    // Such an image would be known and could never be delivered.
    if (measured.outcome === 'unusable') throw new GeneratorFailure('malformed', measured.reason);
    const { widthPx, heightPx } = measured;
    const size = { widthPx, heightPx };
    return { outcome: 'image', image: { bytes, mediaType }, size, model: drawn.model, extension };
  } catch (error) {
    const { kind, isUnbilled } = failureIn(error);
    telemetry.error('The generator failed', error, { generator: name, kind });
    return { outcome: 'none', why: 'upstream_unavailable', isUnbilled };
  }
}

function failureIn(error: unknown): { readonly kind: string; readonly isUnbilled: boolean } {
  if (error instanceof GeneratorFailure) return error;
  return { kind: error instanceof DeadlineReached ? 'unavailable' : 'fault', isUnbilled: false };
}

async function requestFor(
  { bucket }: Pick<DrawServices, 'bucket'>,
  { order, basePath }: GenerationJob,
  { capability }: Generator,
): Promise<GeneratorRequest> {
  const { words, style, bucket: ratio, seed, variation } = order;
  const startsFromBase = capability.imageToImage && variation !== undefined && basePath !== undefined;
  const base = startsFromBase ? await bucket.get(basePath) : undefined;
  return {
    ...promptFor(words, style, variation),
    ratio,
    seed,
    words,
    style,
    ...(variation === undefined ? {} : { variation }),
    ...(base ? { base: base.bytes } : {}),
  };
}
