/** The script and the style sheet of the documentation page, as the build puts them into the docs function. */

export interface PageAssets {
  /** JavaScript for browsers, in one piece. */
  readonly script: string;
  readonly style: string;
}

declare global {
  /** Defined by the build of the function; the local service sets it before it loads the function. */
  var PAGE_ASSETS: PageAssets | undefined;
}
