/** The guides: each example for a framework leads to a request for the same image and size. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { html } from '../../lambda/docs/page/html';
import { examplesOf, guides, mcpFiles } from '../../lambda/docs/page/sections/guides';
import manifest from '../../packages/client/package.json';
import { createImageService } from '../../packages/client/src/astro';
import { createLoader } from '../../packages/client/src/next';
import imageRedirectProvider from '../../packages/client/src/nuxt';
import { readPage } from '../../packages/client/src/pages/page';
import { requestAt } from '../requests/raw-request';

// Astro's own service, which a site has.
jest.mock('astro/assets/services/sharp', () => ({}), { virtual: true });

const root = 'https://img.example/prod';
const examples = new Map(examplesOf(root).map((example) => [example.name, example]));
const codeOf = (name: string) => examples.get(name)?.files.map(([, code]) => code) ?? [];
const lastOf = (name: string) => codeOf(name).at(-1) ?? '';

/** Value of an attribute in a component's tag, between quotes or braces. */
const attribute = (code: string, name: string) =>
  new RegExp(`${name}=(?:"([^"]*)"|\\{([^}]*)\\})`).exec(code)?.slice(1).find(Boolean) ?? '';
const whole = { query: 'mountain lake', widthPx: 1_200, heightPx: 800 };

describe('the example', () => {
  it('for Next.js is a source that its loader turns into the request', () => {
    const tag = lastOf('next');
    const loader = createLoader({ base: /URL=(.*)/.exec(codeOf('next')[0] ?? '')?.[1] ?? '' });
    const url = loader({ src: attribute(tag, 'src'), width: Number(attribute(tag, 'width')) });
    expect(requestAt(url)).toMatchObject(whole);
  });

  it('for Astro is a source and a configuration that its image service turns into the request', async () => {
    const tag = lastOf('astro');
    const base = /base: '([^']*)'/.exec(codeOf('astro')[0] ?? '')?.[1] ?? '';
    const service = createImageService({} as never);
    const options = { src: attribute(tag, 'src'), width: 1_200, height: 800 };
    const config = { service: { config: { base } } } as never;
    const { src } = await service.validateOptions(options, config, undefined);
    expect(requestAt(String(src))).toMatchObject(whole);
  });

  it('for Nuxt is a configuration that runs, and a source that its provider turns into the request', () => {
    const written = (codeOf('nuxt')[0] ?? '').replace('export default', 'return');
    const { image } = new Function('defineNuxtConfig', written)((config: unknown) => config);
    const named = image.providers[image.provider];
    expect(named.name).toBe(image.provider);
    const tag = lastOf('nuxt');
    const modifiers = { width: Number(attribute(tag, 'width')), height: Number(attribute(tag, 'height')) };
    const options = { ...named.options, modifiers };
    expect(requestAt(imageRedirectProvider().getImage(attribute(tag, 'src'), options).url)).toMatchObject(
      whole,
    );
  });

  it('for MCP gives each host what it reads: the endpoint and the key', () => {
    const [inShell = '', file = '', started = ''] = mcpFiles(`${root}/mcp`).map(([, code]) => code);
    const url = `${root}/mcp`;
    expect(inShell).toContain(`--transport http image-redirect ${url}`);
    expect(inShell).toContain('--header "Authorization: Bearer YOUR_API_KEY"');
    const headers = { Authorization: 'Bearer YOUR_API_KEY' };
    expect(JSON.parse(file)).toEqual({ mcpServers: { 'image-redirect': { url, headers } } });
    expect(started).toMatch(/^npx mcp-remote@[\d.]+ https:\S+\/mcp --header X-API-Key:YOUR_API_KEY$/);
    // The documents name the same program, in the same version.
    const guide = readFileSync(join(__dirname, '../../docs/use.md'), 'utf8');
    expect(guide).toContain(`npx ${started.split(' ')[1]} https://img.example.com/mcp`);
  });

  it('imports only what the package exports', () => {
    const imported = [...examples.values()]
      .flatMap(({ files }) => files.map(([, code]) => code))
      .flatMap((code) => [...code.matchAll(/@image-redirect\/client(\/\w+)?/g)])
      .map(([, entry = '']) => `.${entry}`);
    expect(imported.length).toBeGreaterThanOrEqual(3);
    for (const entry of imported) expect(Object.keys(manifest.exports)).toContain(entry);
  });
});

it('the guides escape the root URL that a caller may choose', () => {
  const elements = (rootUrl: string) => {
    const contents = guides(rootUrl, '').map(({ content }) => content);
    return new Set(readPage(html`${contents}`.html).elements.map(({ tagName }) => tagName));
  };
  const usual = elements(root);
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(elements(`https://a.example/${text}`)).toEqual(usual);
    }),
    { numRuns: 30 },
  );
});
