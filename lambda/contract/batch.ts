/** Bounds the calls for the images of a page. */

const imagesMax = 24;

/** The bounds of a batch; `bytesMax` is that of its body. */
export const batchBounds = {
  imagesMax,
  bytesMax: 65_536,
  excludedMax: 200,
  pageSlotCharactersMax: 64,
} as const;

/** The bounds of an HTML page that is filled in one call; `bytesMax` is that of the body. */
export const pageBounds = {
  /** Images that a call fills; the next call fills the rest. */
  imagesMax,
  bytesMax: 1_048_576,
  /** Longest answer, in bytes; Lambda takes 6 MB. */
  answerBytesMax: 5_000_000,
} as const;
