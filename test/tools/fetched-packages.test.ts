/** What commands fetch is named by version and hash, and runs nothing while it is installed. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const folders = ['bin', 'cli', 'lib', 'local', 'packages', 'tools', 'package.json', '.github'];
const files = execFileSync('git', ['ls-files', ...folders], { encoding: 'utf8' })
  .trim()
  .split('\n');
const sources = files
  .filter((file) => /\.(ts|mts|cjs|mjs|js|json|ya?ml)$/.test(file) && !file.includes('/fixtures/'))
  .map((file) => [file, readFileSync(file, 'utf8')] as const);

it('installs packages from a lock without their scripts, and runs none that it has not installed', () => {
  const installs = sources.flatMap(([file, text]) =>
    [...text.matchAll(/\[\s*'(?:ci|install)'[^\]]*\]|- run: npm (?:ci|install).*|npx (?:-y|--yes).*/g)].map(
      ([command]) => {
        const flags = /\.\.\.flags/.test(command) ? (/const flags = \[[^\]]*\]/.exec(text)?.[0] ?? '') : '';
        return [file, command + flags] as const;
      },
    ),
  );
  expect(installs.length).toBeGreaterThan(4);
  for (const [file, command] of installs)
    expect([file, command]).toEqual([file, expect.stringMatching(/\bci\b.*--ignore-scripts/)]);
});

it('fetches binaries by version, and by hash where one is known', () => {
  const text = readFileSync('tools/locked-packages.mjs', 'utf8');
  const [, table = ''] = /^const locked = \{$(.+?)^\};$/ms.exec(text) ?? [];
  const versions = [...table.matchAll(/^ {4}version: '(.*)',$/gm)].map(([, version]) => version);
  const hashes = [...table.matchAll(/^ {8}'(.*)',$/gm)].map(([, hash]) => hash);
  expect(versions.length).toBeGreaterThan(0);
  expect(hashes.length).toBeGreaterThan(versions.length);
  for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const hash of hashes) expect(hash).toMatch(/^sha512-[\w+/]{86}==$/);
  expect(text).toContain('{ version, integrity: hashes[name] }');
});
