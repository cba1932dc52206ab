/** The values that the parameters of an image request accept, apart from their schema for modules that load none. */

export const styles = ['photo', 'minimal', 'dark', 'illustration'] as const;
export type Style = (typeof styles)[number];

export const visibilities = ['private', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/** Bounds of `width` and `height`, in pixels. */
export const sidePx = { min: 100, max: 4000, defaultWidth: 1920, defaultHeight: 1080 } as const;
/** Bounds of `variation` and `alt`. */
export const choiceBounds = { min: 1, max: 10 } as const;
/** Longest `query`, in characters after normalisation. */
export const queryCharactersMax = 200;
/** Longest `seed`, in characters. */
export const seedCharactersMax = 64;
