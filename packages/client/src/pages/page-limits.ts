/** What a page may have at most. The types of the package reach this module, and no parser. */

/** The largest page that is read. */
export const pageLimits = {
  images: 2_000,
  elements: 50_000,
  /** Elements within one another: browsers end nesting here, and a parser of HTML takes quadratic time beyond. */
  depth: 512,
} as const;

/** The page is not read: it has more of something than a page may have. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge';
  /** @param bounds what a page may have */
  constructor(readonly bounds: string) {
    super(`The page is too large: ${bounds}.`);
  }
}
