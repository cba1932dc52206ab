/** Seeds of generations: chosen by identity, so that the same request draws the same image again. */

import { hash } from 'node:crypto';

/** Largest seed: all generators that take one take this. 0 is left out, because to most it means "at random". */
export const generationSeedMax = 4_294_967_294;

/** The seed of a base image, from 1 to `generationSeedMax`. @param identity whatever names the image, as one text */
export function generationSeedOf(identity: string): number {
  const digest = hash('sha256', `seed:${identity}`, 'buffer');
  return 1 + (digest.readUInt32BE(0) % generationSeedMax);
}

/** The seed with which a generator that works from words alone draws a variation of an image. */
export function variationSeedOf(baseSeed: number, variation: number | undefined): number {
  return variation === undefined ? baseSeed : generationSeedOf(`${baseSeed}#${variation}`);
}
