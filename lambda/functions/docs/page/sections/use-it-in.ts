/** How the service is used in frameworks and by models, one example each. */

import { routes } from '../../../../contract/routes';
import { type Html, html } from '../html';

interface Example {
  readonly label: string;
  readonly about: string;
  readonly code: string;
}

const examplesOf = (rootUrl: string): readonly Example[] => [
  {
    label: 'HTML',
    about: 'One tag for one image, without an account or a library.',
    code: `<img src="${rootUrl}${routes.image}/1200x800-mountain-lake" width="1200" height="800" alt="A mountain lake">`,
  },
  {
    label: 'Next.js',
    about:
      "A loader for next/image. It is not given the height, so the ratio is part of the source. In next.config.mjs, set images: { loader: 'custom', loaderFile: './image-loader.js' }.",
    code: `// image-loader.js, with NEXT_PUBLIC_IMAGE_REDIRECT_URL=${rootUrl}
'use client';
export { default } from '@image-redirect/client/next';

// page.js
<Image src="mountain lake?ratio=3:2" width={1200} height={800} alt="A mountain lake" />`,
  },
  {
    label: 'Astro',
    about:
      'An image service. Sources that begin with image-redirect: are ours; all others go to Astro’s own service.',
    code: `// astro.config.mjs
image: {
  service: {
    entrypoint: '@image-redirect/client/astro',
    config: { base: '${rootUrl}/' },
  },
}

// page.astro
<Image src="image-redirect:mountain lake" width={1200} height={800} alt="A mountain lake" />`,
  },
  {
    label: 'Nuxt',
    about: 'A provider for Nuxt Image.',
    code: `// nuxt.config.ts: image: { provider: 'imageRedirect', providers: { imageRedirect: {
{ name: 'imageRedirect', provider: '@image-redirect/client/nuxt', options: { baseURL: '${rootUrl}/' } }

// page.vue
<NuxtImg src="mountain lake?ratio=3:2" width="1200" height="800" alt="A mountain lake" />`,
  },
  {
    label: 'Eleventy',
    about: 'Options for Eleventy Image.',
    code: `const { src, options } = eleventyImage(
  { query: 'mountain lake', width: 1200, height: 800 },
  { base: '${rootUrl}/' },
);
return generateHTML(await Image(src, options), { alt: 'A mountain lake', sizes: '100vw' });`,
  },
  {
    label: 'MCP',
    about:
      'Tools for AI models: find_images, image_url and credits. Over HTTP with the key as bearer token, or over stdio.',
    code: `{
  "mcpServers": { "image-redirect": { "command": "npx", "args": ["image-redirect", "mcp"],
  "env": { "IMAGE_REDIRECT_URL": "${rootUrl}/", "IMAGE_REDIRECT_KEY": "YOUR_API_KEY" } } } }`,
  },
];

/** @param rootUrl root of the service, without a trailing slash */
export function useItIn(rootUrl: string, prefix: string): Html {
  return html`<section id="use-it-in" aria-labelledby="use-title"><div class="wrap">
    <h2 id="use-title">Use it in …</h2>
    <p>Loaders are in the package <code>@image-redirect/client</code>. For all images of a page in one call, see
      <a href="${prefix}/llms.txt">llms.txt</a>.</p>
    ${examplesOf(rootUrl).map(exampleHtml)}
  </div></section>`;
}

/** Opening one closes the others, so that they act as tabs without a script. */
function exampleHtml({ label, about, code }: Example, index: number): Html {
  return html`<details name="use-it-in"${index === 0 ? html` open` : undefined}><summary><span>${label}</span></summary><div>
    <p>${about}</p><pre><code>${code}</code></pre></div></details>`;
}
