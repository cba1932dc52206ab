/**
 * Tries the package as it is published: packs it, checks the archive, installs it in an application of every framework,
 * builds the application and requests every image of the page from the local service.
 */

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../../../test/e2e/local-service';
import { checkImages } from './check-images';

const folder = join(import.meta.dirname, '..');
const root = join(folder, '../..');
const home = join(folder, 'fixtures');
const archive = join(home, 'client.tgz');

interface Fixture {
  /** The page that its script `render` writes. */
  readonly page: string;
  /** How many tags of the page show images of the service, so that none is lost unnoticed. */
  readonly imageTags: number;
  /** Files of what browsers run, where the URL of the service must have arrived. */
  readonly scripts?: string;
}

/** The applications, one per framework, by their folder. */
const fixtures: Readonly<Record<string, Fixture>> = {
  next: { page: 'out/index.html', imageTags: 5, scripts: 'out/_next/static/**/*.js' },
  astro: { page: 'dist/index.html', imageTags: 7 },
  nuxt: { page: '.output/public/index.html', imageTags: 3, scripts: '.output/public/_nuxt/*.js' },
  unpic: { page: 'page.html', imageTags: 5 },
  eleventy: { page: '_site/index.html', imageTags: 4 },
  components: { page: 'page.html', imageTags: 13 },
};

const execute = promisify(execFile);

/** Runs a program to its end. @throws with its output when it fails */
async function run(
  cwd: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  try {
    await execute(command, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** Installs the packages of an application once, and the package under test every time. */
async function install(name: string): Promise<void> {
  const cwd = join(home, name);
  const wanted = readFileSync(join(cwd, 'package.json'), 'utf8');
  const mark = join(cwd, 'node_modules/.installed.json');
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
    const flags = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
    await run(cwd, 'npm', ['install', ...flags]);
    writeFileSync(mark, wanted);
  }
  if (name === 'package') return;
  const installed = join(cwd, 'node_modules/@image-redirect/client');
  rmSync(installed, { recursive: true, force: true });
  cpSync(join(home, 'unpacked/package'), installed, { recursive: true });
}

async function checkPackage(): Promise<string> {
  await run(folder, 'npm', ['pack', '--silent', '--pack-destination', home]);
  const [packed = ''] = globSync(join(home, 'image-redirect-client-*'));
  renameSync(packed, archive);
  rmSync(join(home, 'unpacked'), { recursive: true, force: true });
  mkdirSync(join(home, 'unpacked'));
  await run(home, 'tar', ['-xzf', 'client.tgz', '-C', 'unpacked']);
  await install('package');
  const tools = join(home, 'package/node_modules');
  await run(home, process.execPath, [join(tools, 'publint/src/cli.js'), archive, '--strict']);
  const attw = join(tools, '@arethetypeswrong/cli/dist/index.js');
  await run(home, process.execPath, [attw, archive, '--profile', 'esm-only', '--format', 'ascii']);
  return `publint and attw find nothing; the archive has ${readFileSync(archive).length} bytes`;
}

async function checkFixture(name: string, url: string, key: string): Promise<string> {
  const { page, imageTags, scripts } = fixtures[name] as Fixture;
  const cwd = join(home, name);
  await install(name);
  // What the framework says of its types, compared with the loader's.
  if (existsSync(join(cwd, 'types.ts')))
    await run(cwd, process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'],
      ...['--target', 'es2022', '--lib', 'es2024,dom', '--module', 'preserve', 'types.ts'],
    ]);
  rmSync(join(cwd, page), { force: true });
  await run(cwd, 'npm', ['run', '--silent', 'render'], {
    IMAGE_REDIRECT_URL: url,
    NEXT_PUBLIC_IMAGE_REDIRECT_URL: url,
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
  });
  const { tags, urls, difference, faults } = await checkImages(
    readFileSync(join(cwd, page), 'utf8'),
    url,
    key,
  );
  if (tags !== imageTags) faults.push(`${tags} tags show images, not ${imageTags}`);
  const isNamed = (path: string) => readFileSync(join(cwd, path), 'utf8').includes(url);
  if (scripts && !globSync(scripts, { cwd }).some(isNamed))
    faults.push(`what browsers run does not name ${url}`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return `${urls} URLs of ${tags} tags answered 302, each tag with one image (sizes differ by at most ${difference.toFixed(1)} of 255)`;
}

/** Reports a step on one line. @returns whether it went well */
async function step(name: string, work: () => Promise<string>): Promise<boolean> {
  try {
    console.log(`✓ ${name}: ${await work()}`);
    return true;
  } catch (error) {
    console.error(`✗ ${name}: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

async function main(names: readonly string[]): Promise<void> {
  const all = Object.keys(fixtures);
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`No fixture ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  const results = [await step('package', checkPackage)];
  const service = await startService();
  try {
    for (const name of names.length > 0 ? names : all)
      results.push(await step(name, () => checkFixture(name, service.url, service.keys.business.live)));
  } finally {
    await service.stop();
  }
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

// Until everything went well; a program that ends early has not.
process.exitCode = 1;
main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : error);
});
