/** The guides name loaders, prices and settings that exist, and escape values of a caller. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { html } from '../../../../lambda/docs/page/html';
import {
  frameworkLoaders,
  writeGuides,
  writeMcpConfigurations,
} from '../../../../lambda/docs/page/sections/guides';
import manifest from '../../../../packages/client/package.json';
import { readPage } from '../../../../packages/client/src/pages/page';

const root = 'https://img.example/prod';

test('the guides name loaders that the package exports', () => {
  const named = frameworkLoaders.map(([, entry]) => `.${/client(\/\w+)/.exec(entry)?.[1]}`);
  for (const entry of named) expect(Object.keys(manifest.exports)).toContain(entry);
});

test('the guides state what each kind of request for an AI image costs', () => {
  const costs = writeGuides(root, '/prod').find(({ id }) => id === 'ai-costs')?.content.html ?? '';
  const charged = [...costs.matchAll(/data-label="Requests charged">([^<]*)</g)].map(([, units]) => units);
  expect(charged).toEqual([
    ...['1', '1', 'free', '1', '1, then free', 'free', 'free', 'free', '1', '1 of the hour'],
  ]);
});

test('the MCP settings of each host have the URL and the key', () => {
  const [inShell = '', file = '', started = ''] = writeMcpConfigurations(`${root}/mcp`).map(
    ([, code]) => code,
  );
  const url = `${root}/mcp`;
  expect(inShell).toContain(`--transport http image-redirect ${url}`);
  expect(inShell).toContain('--header "Authorization: Bearer YOUR_API_KEY"');
  const headers = { Authorization: 'Bearer YOUR_API_KEY' };
  expect(JSON.parse(file)).toEqual({ mcpServers: { 'image-redirect': { url, headers } } });
  expect(started).toMatch(/^npx mcp-remote@[\d.]+ https:\S+\/mcp --header X-API-Key:YOUR_API_KEY$/);
  // The documents name the same program, in the same version.
  const guide = readFileSync(join(__dirname, '../../../../docs/use.md'), 'utf8');
  expect(guide).toContain(`npx ${started.split(' ')[1]} https://img.example.com/mcp`);
});

test('the guides escape a root URL that contains markup', () => {
  const elements = (rootUrl: string) => {
    const contents = writeGuides(rootUrl, '').map(({ content }) => content);
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
