/** How the service is used in pages, in frameworks and by models: one example each, shown as tabs where scripts run. */

import { clientPackage, mcpRemote, routes } from '../../../contract/routes';
import { type Html, html } from '../html';

/** One way to use the service, as a tab. */
export interface Example {
  /** Part of its ids. */
  readonly name: string;
  readonly label: string;
  readonly about: string;
  /** File name or place, and what stands there. */
  readonly files: readonly (readonly [name: string, code: string])[];
}

/** @param rootUrl root of the service, without a trailing slash */
export function examplesOf(rootUrl: string): readonly Example[] {
  const url = (size: string) => `${rootUrl}${routes.image}/${size}-mountain-lake`;
  return [
    {
      name: 'html',
      label: 'HTML',
      about:
        'One tag, without an account or a library. Every size of the same words in one orientation is the same image.',
      files: [
        [
          'index.html',
          `<img src="${url('1200x800')}"
  srcset="${url('640x427')} 640w,
    ${url('1200x800')} 1200w,
    ${url('1920x1280')} 1920w"
  sizes="(min-width: 1200px) 1200px, 100vw"
  width="1200" height="800" alt="A mountain lake" loading="lazy">`,
        ],
      ],
    },
    {
      name: 'next',
      label: 'Next.js',
      about:
        'A loader for next/image. A loader is not given the height, so the ratio is part of the source. Set NEXT_PUBLIC_IMAGE_REDIRECT_URL to the root of the service.',
      files: [
        ['.env', `NEXT_PUBLIC_IMAGE_REDIRECT_URL=${rootUrl}`],
        [
          'next.config.mjs',
          `export default {
  images: { loader: 'custom', loaderFile: './image-loader.js' },
};`,
        ],
        ['image-loader.js', `'use client';\nexport { default } from '@image-redirect/client/next';`],
        [
          'app/page.js',
          `<Image src="mountain lake?ratio=3:2" width={1200} height={800} alt="A mountain lake" />`,
        ],
      ],
    },
    {
      name: 'astro',
      label: 'Astro',
      about:
        'An image service. Sources that begin with image-redirect: are for this service; Astro’s own service handles all others.',
      files: [
        [
          'astro.config.mjs',
          `export default defineConfig({
  image: {
    service: {
      entrypoint: '@image-redirect/client/astro',
      config: { base: '${rootUrl}' },
    },
  },
});`,
        ],
        [
          'src/pages/index.astro',
          `<Image src="image-redirect:mountain lake" width={1200} height={800} alt="A mountain lake" />`,
        ],
      ],
    },
    {
      name: 'nuxt',
      label: 'Nuxt',
      about: 'A provider for Nuxt Image.',
      files: [
        [
          'nuxt.config.ts',
          `export default defineNuxtConfig({
  modules: ['@nuxt/image'],
  image: {
    provider: 'imageRedirect',
    providers: {
      imageRedirect: {
        name: 'imageRedirect',
        provider: '@image-redirect/client/nuxt',
        options: { baseURL: '${rootUrl}' },
      },
    },
  },
});`,
        ],
        ['app/app.vue', `<NuxtImg src="mountain lake" width="1200" height="800" alt="A mountain lake" />`],
      ],
    },
    {
      name: 'mcp',
      label: 'MCP',
      about:
        'Tools for AI models that write pages: find_images, fill_page and build_image_url. Each host has its own file; any of them works in any folder.',
      files: mcpFiles(`${rootUrl}${routes.mcp}`),
    },
  ];
}

/** What hosts of models take that speak HTTP, and the program that others start in its place. */
function mcpFiles(url: string): Example['files'] {
  const key = 'YOUR_API_KEY';
  const headers = { Authorization: `Bearer ${key}` };
  const file = (list: string, server: object) =>
    JSON.stringify({ [list]: { 'image-redirect': server } }, undefined, 2);
  return [
    [
      'Claude Code: in a shell',
      `claude mcp add --transport http image-redirect ${url} \\\n  --header "Authorization: Bearer ${key}"`,
    ],
    ['Cursor: ~/.cursor/mcp.json', file('mcpServers', { url, headers })],
    ['VS Code: .vscode/mcp.json', file('servers', { type: 'http', url, headers })],
    ['Zed: settings.json', file('context_servers', { url, headers })],
    ['Gemini CLI: ~/.gemini/settings.json', file('mcpServers', { httpUrl: url, headers })],
    ['A host that starts a program (stdio)', `npx ${mcpRemote} ${url} --header X-API-Key:${key}`],
  ];
}

/** @param rootUrl root of the service, without a trailing slash */
export function useItIn(rootUrl: string, prefix: string): Html {
  return html`<section id="use-it-in" aria-labelledby="use-title"><div class="wrap">
    <h2 id="use-title">Use it in …</h2>
    <p>The loaders are in the package <code>@image-redirect/client</code>, which this service hands out:
      <code>npm install ${rootUrl}${clientPackage}</code>. To get all images of a page in one call, with alternative
      text and credit lines, see <a href="${prefix}/llms.txt">llms.txt</a>.</p>
    <div data-tabs="use-title">${examplesOf(rootUrl).map(exampleHtml)}</div>
  </div></section>`;
}

/** Without a script the examples stand below one another, each under its heading. */
function exampleHtml({ name, label, about, files }: Example): Html {
  return html`<div class="card panel" id="use-${name}"><h3>${label}</h3>
    <p>${about}</p>${files.map(([file, code], i) => fileHtml(`code-${name}-${i + 1}`, label, file, code))}</div>`;
}

function fileHtml(id: string, label: string, file: string, code: string): Html {
  return html`<div class="snippet"><p class="file">${file} <button class="quiet" type="button" data-copy="${id}" aria-label="Copy ${file} for ${label}">Copy</button></p><pre tabindex="0" aria-label="${file}"><code id="${id}">${code}</code></pre></div>`;
}
