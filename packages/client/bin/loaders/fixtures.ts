/** The applications that the package is tried in, one per framework. */

export interface Fixture {
  /** Its folder, and its name on the command line. */
  readonly name: string;
  /** The page that its script `render` writes. */
  readonly page: string;
  /** How many tags of the page show images of the service, so that none is lost unnoticed. */
  readonly imageTags: number;
  /** A folder of what browsers run, where the URL of the service must have arrived. */
  readonly browserFolder?: string;
  /** Whether the framework says its types, which `types.ts` then compares with the loader's. */
  readonly hasTypes: boolean;
}

export const fixtures: readonly Fixture[] = [
  { name: 'next', page: 'out/index.html', imageTags: 5, browserFolder: 'out/_next/static', hasTypes: true },
  { name: 'astro', page: 'dist/index.html', imageTags: 7, hasTypes: true },
  {
    name: 'nuxt',
    page: '.output/public/index.html',
    imageTags: 3,
    browserFolder: '.output/public/_nuxt',
    hasTypes: true,
  },
  { name: 'unpic', page: 'page.html', imageTags: 5, hasTypes: true },
  { name: 'eleventy', page: '_site/index.html', imageTags: 4, hasTypes: false },
  { name: 'components', page: 'page.html', imageTags: 13, hasTypes: true },
];
