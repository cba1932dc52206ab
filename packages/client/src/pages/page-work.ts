/** What a page may have at most, and how much work it may take. */

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

/** Counts the work that a page takes, and ends it when its time is over. */
export class Work {
  steps = 0;
  #checkedAt = 0;

  /** @param isOver whether the time for the page is over; asked once in a thousand steps */
  constructor(readonly isOver: () => boolean = () => false) {}

  /** @throws `PageTooLarge` when the time is over */
  step(count = 1): void {
    this.steps += count;
    if (this.steps < this.#checkedAt + 1_000) return;
    this.#checkedAt = this.steps;
    if (this.isOver()) throw new PageTooLarge('what can be read within the time of a request');
  }
}
