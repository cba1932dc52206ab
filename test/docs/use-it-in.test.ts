/** The examples of the documentation page are right: each one leads to a request for the same image and size. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { examplesOf, useItIn } from '../../lambda/docs/page/sections/use-it-in';
import type { ImageRequest } from '../../lambda/requests/image-request';
import { parseRequest } from '../../lambda/requests/parse-request';
import manifest from '../../packages/client/package.json';
import { createImageService } from '../../packages/client/src/astro-service';
import { createLoader } from '../../packages/client/src/next';
import imageRedirectProvider from '../../packages/client/src/nuxt';

const root = 'https://img.example/prod';
const examples = new Map(examplesOf(root).map((example) => [example.name, example]));
const codeOf = (name: string) => examples.get(name)?.files.map(([, code]) => code) ?? [];
const lastOf = (name: string) => codeOf(name).at(-1) ?? '';

/** The request that the service reads from a URL. */
function requestAt(url: string): ImageRequest {
  expect(url.startsWith(`${root}/api/image`)).toBe(true);
  const { pathname, searchParams } = new URL(url);
  const segment = /\/api\/image\/(.+)$/.exec(pathname)?.[1];
  const values = Object.fromEntries(
    [...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]),
  );
  const parsed = parseRequest({ values, ...(segment === undefined ? {} : { segment }) });
  if (parsed.outcome === 'refused') throw new Error(`${url}: ${JSON.stringify(parsed.refusal)}`);
  return parsed.request;
}

/** Value of an attribute in a component's tag, between quotes or braces. */
const attribute = (code: string, name: string) =>
  new RegExp(`${name}=(?:"([^"]*)"|\\{([^}]*)\\})`).exec(code)?.slice(1).find(Boolean) ?? '';
const whole = { query: 'mountain lake', widthPx: 1_200, heightPx: 800 };

describe('the example', () => {
  it('for HTML is a tag whose every URL shows the same image in the width it says', () => {
    const [tag] = parseDocument(lastOf('html')).children as never as [{ attribs: Record<string, string> }];
    expect(requestAt(tag.attribs['src'] ?? '')).toMatchObject(whole);
    const candidates = (tag.attribs['srcset'] ?? '').split(/,\s+/).map((each) => each.split(' '));
    expect(candidates).toHaveLength(3);
    for (const [url = '', width = ''] of candidates) {
      const { widthPx, heightPx, query } = requestAt(url);
      expect([`${widthPx}w`, query]).toEqual([width, 'mountain lake']);
      expect(heightPx).toBe(Math.round((widthPx * 2) / 3));
    }
    expect(tag.attribs).toMatchObject({ width: '1200', height: '800', alt: 'A mountain lake' });
  });

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
    const code = codeOf('mcp');
    const [inShell = '', ...files] = code.slice(0, -1);
    const url = `${root}/mcp`;
    expect(inShell).toContain(`--transport http image-redirect ${url}`);
    expect(inShell).toContain('--header "Authorization: Bearer YOUR_API_KEY"');
    const servers = files.map((file) => {
      const [list, each] = Object.entries(JSON.parse(file))[0] ?? [];
      return [list, (each as Record<string, object>)['image-redirect']];
    });
    const headers = { Authorization: 'Bearer YOUR_API_KEY' };
    expect(servers).toEqual([
      ['mcpServers', { url, headers }],
      ['servers', { type: 'http', url, headers }],
      ['context_servers', { url, headers }],
      ['mcpServers', { httpUrl: url, headers }],
    ]);
    expect(lastOf('mcp')).toMatch(/^npx mcp-remote@[\d.]+ https:\S+\/mcp --header X-API-Key:YOUR_API_KEY$/);
    // The documents name the same program, in the same version.
    const guide = readFileSync(join(__dirname, '../../docs/publish.md'), 'utf8');
    expect(guide).toContain(`npx ${lastOf('mcp').split(' ')[1]} https://img.example.com/mcp`);
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

it('holds no key, and escapes the root URL that a caller may choose', () => {
  expect(useItIn(root, '/prod').html).not.toMatch(/pk_|sgs_/);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const seen = parseDocument(useItIn(`https://a.example/${text}`, '').html);
      const names: string[] = [];
      const walk = (nodes: readonly { name?: string; children?: never[] }[]): void => {
        for (const { name, children } of nodes) {
          if (name) names.push(name);
          walk(children ?? []);
        }
      };
      walk(seen.children as never);
      expect(new Set(names)).toEqual(
        new Set(['section', 'div', 'h2', 'h3', 'p', 'a', 'code', 'pre', 'button']),
      );
    }),
    { numRuns: 30 },
  );
});
