/** The test values: values of `query` with a fixed outcome, for test keys and in the sandbox. */

/** Time that `test:slow` waits, in milliseconds. */
export const testSlowMs = 8_000;

/** The outcome of each test value. For example, the value of `none` is `test:none`. */
export const testOutcomes = {
  none: '404 no_image_found',
  loose: 'an image with X-Image-Fit: loose',
  quota: '429 quota_exceeded',
  rate: '429 rate_limited',
  slow: `an image after ${testSlowMs / 1_000} seconds`,
  generating: '503 generation_in_progress',
  refused: '422 content_refused',
  error: '500 internal_error',
  gone: '302 to the card of an image that is gone, with X-Image-Fallback: gone',
} as const;

export const testValues = Object.keys(testOutcomes) as readonly (keyof typeof testOutcomes)[];
