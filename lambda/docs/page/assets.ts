/** The scripts and style sheets of the pages. The build defines them as a global variable. */

/** The assets of one page. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** The assets of both pages: the documentation and the account page. */
export interface AllAssets {
  readonly docs: PageAssets;
  readonly account: PageAssets;
}

declare global {
  /** Defined by the build of the function. The local service sets it before it loads the function. */
  var PAGE_ASSETS: AllAssets | undefined;
}
