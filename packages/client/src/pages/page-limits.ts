/** Bounds pages, apart from `page.ts`: the package's types must do without those of parse5. */

/** Bounds of a page: a larger one takes more time than a request has. */
export const pageLimits = {
  images: 2_000,
  elements: 50_000,
  /** Elements within one another: browsers nest no deeper, and parsing takes quadratic time beyond. */
  depth: 512,
} as const;

/** A page that is not read, since it exceeds one of these bounds. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge';
  constructor(readonly bounds: string) {
    super(`The page is too large: ${bounds}.`);
  }
}
