/** The landscapes that scenes play in, by what they are made of from far to near. */

/** The light by the time of day. */
export type Time = 'dawn' | 'day' | 'golden' | 'sunset' | 'dusk' | 'night';

/** A material of the ground. */
export type Ground = 'rock' | 'grass' | 'farGrass' | 'pine' | 'sand';

/** A landscape; what is absent is not there. */
export interface Landscape {
  /** Place of the horizon, as a share of the height from the top. */
  readonly horizon: number;
  /** The far end, and its height, 1 being as high as it may. */
  readonly end?: readonly [kind: 'mountains' | 'hills', height: number];
  /** Whether towers stand on the horizon. */
  readonly isCity?: true;
  /** Roughness of the water, from 0 (a mirror) to 1 (the open sea). */
  readonly water?: number;
  /** Rows of ground: number, farthest and nearest material, and where they begin (0 at the horizon). */
  readonly ground?: readonly [rows: number, far: Ground, near: Ground, from: number];
  /** Density of firs on it, 1 being a closed wood. */
  readonly firs?: number;
}

/** All landscapes, by their names. */
export const landscapes = {
  lake: { horizon: 0.58, end: ['mountains', 1], water: 0.1, ground: [1, 'pine', 'pine', 1], firs: 0.6 },
  sea: { horizon: 0.56, water: 0.8 },
  beach: { horizon: 0.5, end: ['hills', 0.4], water: 0.5, ground: [2, 'sand', 'sand', 0.74] },
  mountains: { horizon: 0.68, end: ['mountains', 1], ground: [3, 'grass', 'pine', 0.2], firs: 0.9 },
  forest: { horizon: 0.5, end: ['hills', 0.4], ground: [4, 'farGrass', 'pine', 0.1], firs: 1.6 },
  meadow: { horizon: 0.54, end: ['mountains', 0.62], ground: [3, 'farGrass', 'grass', 0.14] },
  desert: { horizon: 0.58, ground: [5, 'rock', 'sand', 0.1] },
  winter: { horizon: 0.55, end: ['mountains', 0.72], ground: [3, 'grass', 'grass', 0.16], firs: 0.7 },
  stars: { horizon: 0.81, end: ['mountains', 0.6], ground: [2, 'pine', 'pine', 0.3], firs: 1 },
  sky: { horizon: 0.92, end: ['hills', 0.4] },
  city: { horizon: 0.73, isCity: true, water: 0.35 },
  street: { horizon: 0.73, isCity: true },
} satisfies Readonly<Record<string, Landscape>>;

/** The place of a scene: a landscape, or a place with a drawing of its own. */
export type Place = keyof typeof landscapes | 'abstract' | 'studio' | 'table' | 'underwater';

/** The places without a ground on which subjects stand. */
export const floatingPlaces: readonly Place[] = ['abstract', 'sky', 'stars', 'underwater'];
