/** The client package as the service hands it out: installed, run, and imported with its types. */

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeTestFolder, startFixture } from '../fakes/fixture';
import { getSharedService } from './shared-service';

const execute = promisify(execFile);
const service = startFixture(getSharedService);
const folder = makeTestFolder();
const installed = join(folder, 'node_modules/@image-redirect/client');
/** The environment without what an npm that runs these tests has set for itself. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
/** Runs npm's programs where no registry answers. */
const runNpm = (program: 'npm' | 'npx', ...args: readonly string[]) =>
  execute(program, args, {
    cwd: folder,
    shell: process.platform === 'win32',
    env: {
      ...environment,
      npm_config_cache: join(folder, '.cache'),
      npm_config_registry: 'http://127.0.0.1:1',
      npm_config_fetch_retries: '0',
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
    },
  });

beforeAll(() => runNpm('npm', 'install', `${service.url}/client.tgz`));

test('the package runs its command without a registry', async () => {
  writeFileSync(join(folder, 'index.html'), '<h1>A page</h1><img src="https://placehold.co/600x400">');
  const linted = runNpm(
    'npx',
    '-y',
    '-p',
    `${service.url}/client.tgz`,
    'image-redirect-pages',
    'lint',
    'index.html',
  );
  await expect(linted).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('index.html:1') });
});

const listModules = (text: string) =>
  [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?['"]([^'"]+)['"]/g)].map(([, name = '']) => name);

test('the package holds all that it imports', async () => {
  const { exports, bin, dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  const programs = [bin, exports]
    .flatMap((part: Record<string, string>) => Object.values(part))
    .filter((path) => path.endsWith('.js'));
  const files = [...programs, ...programs.map((program) => program.replace(/js$/, 'd.ts'))];
  const checkedFiles = new Set<string>();
  const elsewhere = new Set<string>();
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    const path = join(installed, file);
    if (checkedFiles.has(path)) continue;
    checkedFiles.add(path);
    for (const name of listModules(readFileSync(path, 'utf8'))) {
      if (!name.startsWith('.')) elsewhere.add(name);
      else files.push(join(dirname(file), file.endsWith('.d.ts') ? name.replace(/\.js$/, '.d.ts') : name));
    }
  }
  expect(checkedFiles.size).toBeGreaterThan(15);
  expect([...elsewhere].filter((name) => !builtinModules.includes(name.replace('node:', '')))).toEqual([
    'astro/assets/services/sharp',
  ]);
  expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toMatch(/^parse5 \d/m);
  expect(readdirSync(installed)).toEqual(expect.arrayContaining(['README.md', 'vectors']));
});
