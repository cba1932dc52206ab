/** The bounds of a batch: the images of one page, asked for in one call. */

/** Images of one call. */
const imagesMax = 24;

/** Bounds of one batch: images, and bytes of its body. */
export const batchBounds = {
  imagesMax,
  /** Longest body, in bytes. */
  bytesMax: 65_536,
  /** Picks that no entry shows. */
  excludedMax: 200,
  /** Longest name of a slot, in characters. */
  slotCharactersMax: 64,
} as const;

/** The bounds of an HTML page that is filled in one call. */
export const pageBounds = {
  /** Images that are filled; the rest of the page is left for the next call. */
  imagesMax,
  /** Longest body, in bytes. */
  bytesMax: 1_048_576,
  /** Longest answer, in bytes, as Lambda hands it over, which takes 6 MB. */
  answerBytesMax: 5_000_000,
} as const;
