/** The bounds of a page. They are not in `page.ts`, because the types of the package must not need parse5. */

/** The bounds of a page. A larger page takes more time than a request has. */
export const pageLimits = {
  images: 2_000,
  elements: 50_000,
  /** Elements within one another. Browsers nest no deeper. Parsing a deeper page takes quadratic time. */
  depth: 512,
} as const;

/** The error for a page that exceeds one of these bounds. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge';
  constructor(
    limit: keyof typeof pageLimits,
    things: string = limit,
    readonly bounds = `at most ${pageLimits[limit].toLocaleString('en')} ${things}`,
  ) {
    super(`The page is too large: ${bounds}.`);
  }
}
