/** Bounds of a page that is read: a larger one takes more time than a request has. */
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
