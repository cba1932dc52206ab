/** Lists the settings of scenes: landscapes and rooms. */

/** A landscape. Its parts are drawn from far to near. */
export interface Landscape {
  /** Y of the horizon, as a share of the height from the top. */
  readonly horizon: number;
  /** Backdrops on the horizon. A seed shows one of them. */
  readonly far?: readonly ('mountains' | 'hills' | 'towers')[];
  readonly hasWater?: true;
  /** Rows of ground: their number, and the colours of the farthest and the nearest one. */
  readonly ground?: readonly [rows: number, far: string, near: string];
  /** Density of firs on the ground. At 1 they are a closed wood. */
  readonly firs?: number;
}

const [pine, sand] = ['#27513f', '#ecd3a1'];

export const landscapes = {
  lake: { horizon: 0.58, far: ['mountains'], hasWater: true, ground: [1, pine, pine], firs: 0.6 },
  sea: { horizon: 0.56, hasWater: true },
  beach: { horizon: 0.5, far: ['hills', 'mountains'], hasWater: true, ground: [2, sand, sand] },
  underwater: { horizon: 0, hasWater: true, ground: [1, sand, sand] },
  mountains: { horizon: 0.66, far: ['mountains'], ground: [3, '#5f9150', pine], firs: 0.9 },
  forest: { horizon: 0.48, far: ['hills', 'mountains'], ground: [4, '#7fa873', pine], firs: 1.6 },
  autumn: { horizon: 0.48, far: ['hills', 'mountains'], ground: [4, '#d2a45f', '#8a5a35'], firs: 1.4 },
  meadow: { horizon: 0.54, far: ['mountains', 'hills'], ground: [3, '#8fbb77', '#5f9a4e'] },
  desert: { horizon: 0.56, ground: [5, '#b98b6a', sand] },
  winter: { horizon: 0.55, far: ['mountains', 'hills'], ground: [3, '#d3e4f6', '#f0f7ff'], firs: 0.6 },
  stars: { horizon: 0.8, far: ['mountains', 'hills'], ground: [2, pine, pine], firs: 1 },
  sky: { horizon: 0.92, far: ['hills', 'mountains'] },
  city: { horizon: 0.73, far: ['towers'], hasWater: true },
  street: { horizon: 0.68, far: ['towers'], ground: [2, '#9fc28a', '#6f7884'] },
} satisfies Readonly<Record<string, Landscape>>;

/** The setting of a scene: a landscape, or a room. */
export type Setting = keyof typeof landscapes | 'abstract' | 'studio' | 'table';

/** Settings without ground: subjects float there. */
export const floatingSettings: readonly Setting[] = ['abstract', 'sky', 'stars', 'underwater'];
