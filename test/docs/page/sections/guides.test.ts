/** Tests that the guides name loaders and settings that exist. */

import { frameworkLoaders, writeMcpConfigurations } from '../../../../lambda/docs/page/sections/guides';
import manifest from '../../../../packages/client/package.json';

const root = 'https://img.example/prod';

test('the guides name loaders that the package exports', () => {
  const loaderEntries = frameworkLoaders.rows.map(
    ([, loader = '']) => `.${/client(\/\w+)/.exec(loader)?.[1]}`,
  );
  expect(Object.keys(manifest.exports)).toEqual(expect.arrayContaining(loaderEntries));
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
});
