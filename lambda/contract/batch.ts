/** The bounds of a call for the images of a page. */

/** Most images of one call. */
const imagesMax = 24;

/** The bounds of a batch. */
export const batchBounds = {
  imagesMax,
  /** Longest body, in bytes. */
  bytesMax: 65_536,
  /** Longest `exclude`. */
  excludedMax: 200,
  /** Longest name of a slot, in characters. */
  slotCharactersMax: 64,
} as const;

/** The bounds of an HTML page that is filled in one call. */
export const pageBounds = {
  /** Images that a call fills; the next call fills the rest. */
  imagesMax,
  /** Longest body, in bytes. */
  bytesMax: 1_048_576,
  /** Longest answer, in bytes; Lambda takes 6 MB. */
  answerBytesMax: 5_000_000,
} as const;
