/** The bounds of a page, since one that is longer takes too much time to read. */

/** The largest page that is read. */
export const pageLimits = {
  images: 2_000,
  elements: 50_000,
  /** Elements within one another: browsers nest no deeper, and parsing takes quadratic time beyond. */
  depth: 512,
} as const;

/** The page is not read, since it is beyond these bounds of a page. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge';
  constructor(readonly bounds: string) {
    super(`The page is too large: ${bounds}.`);
  }
}
