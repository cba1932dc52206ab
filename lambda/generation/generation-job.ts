/** The message from the image function to the generator function, and the queue that takes it: one image to be made. */

import * as z from 'zod/mini';
import { type MessageOf, readMessage } from '../base/read-message';
import { styles } from '../contract/request-bounds';
import { isLibraryPath, type LibraryPath } from '../images/library-path';
import type { Limit } from '../quota/quota';
import { aspectBuckets, type ImageKey, isImageKey } from './generation-identity';

/** The ceilings on generations: of an account's month, of the day, and what an account is sure of among those of the day. */
const ceilingNames = ['month', 'day', 'share'] as const;
type CeilingName = (typeof ceilingNames)[number];

/** @param limit a ceiling that has counted a generation */
export function nameOfCeiling({ counter, window }: Limit): CeilingName {
  if (counter.kind === 'fair-use' && counter.use === 'generation-share') return 'share';
  return window.kind === 'month' ? 'month' : 'day';
}

const filled = z.string().check(z.minLength(1));

const imageKey = z.custom<ImageKey>(isImageKey, 'not a key of a generation');
const libraryPath = z.custom<LibraryPath>(isLibraryPath, 'not a path of the image library');

const generationJob = z.object({
  lease: z.object({ key: imageKey, execution: filled, fence: z.int() }),
  order: z.object({
    words: filled,
    style: z.enum(styles),
    bucket: z.enum(aspectBuckets),
    seed: z.int(),
    variation: z.exactOptional(z.int()),
  }),
  /** The reserved place and charge; a free execution's costs 0. Absent in jobs from before free ones held a place. */
  charge: z.exactOptional(
    z.object({
      quotaKey: filled,
      execution: filled,
      cost: z.int(),
      prunable: z.array(filled),
    }),
  ),
  /** Which of the operator's ceilings have counted it. */
  counted: z.exactOptional(z.array(z.enum(ceilingNames))),
  /** Under which the finished image is listed for `alt`; absent for private ones. */
  similarityKey: z.exactOptional(filled),
  /** Path of the base image's master, for a variation. */
  basePath: z.exactOptional(libraryPath),
});

/** One image to be made, under a lease that is held already. */
export type GenerationJob = MessageOf<typeof generationJob>;

/** @throws `TypeError` that names each faulty field */
export function readGenerationJob(event: unknown): GenerationJob {
  return readMessage('generation job', generationJob, event);
}

/** The job was refused before anything of it began, because the generator has too much to do. */
export class GeneratorBusy extends Error {
  override readonly name = 'GeneratorBusy';
}

/** Hands jobs over to the generator function. */
export interface GeneratorQueue {
  /** Resolves once the job is accepted. @throws `GeneratorBusy` when it was refused, another error when it is not known whether it was accepted. */
  handOver(job: GenerationJob): Promise<void>;
}
