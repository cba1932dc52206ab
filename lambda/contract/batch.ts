/** The bounds of a batch: the images of one page, asked for in one call. */

/** Images of one call. */
const imagesMax = 24;

/** Bounds of one batch: images, and bytes of its body. */
export const batchBounds = {
  imagesMax,
  /** Longest body, in bytes. */
  bytesMax: 65_536,
  /** Longest name of a page and of a slot, in characters. */
  nameCharactersMax: 64,
} as const;

/** The bounds of an HTML page that is filled in one call. */
export const pageBounds = {
  /** Images that are filled; the rest of the page is left for the next call. */
  imagesMax,
  /** Longest body, in bytes. */
  bytesMax: 1_048_576,
} as const;

/** How long the images of a page are remembered after its last batch, in milliseconds. */
export const pageKeptMs = 400 * 86_400_000;

/** Slots that are remembered of one page; beyond that the oldest are forgotten. */
export const pageSlotsMax = 480;
