/** Declares the scripts and style sheets of the pages, as the build puts them into the function. */

/** The assets of one page. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** The assets of the documentation and of the account page. */
export interface AllAssets {
  readonly docs: PageAssets;
  readonly account: PageAssets;
}

declare global {
  /** Defined by the build of the function; the local service sets it before it loads the function. */
  var PAGE_ASSETS: AllAssets | undefined;
}
