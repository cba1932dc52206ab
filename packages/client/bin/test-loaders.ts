/**
 * Tries the package as it is published: packs it, checks the archive, installs it in an application of every framework,
 * builds the application and asks the local service for every image of the page.
 */

import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkImages } from './loaders/check-images';
import { type Fixture, fixtures } from './loaders/fixtures';
import { imagesInHtml } from './loaders/images-in-html';
import { startLocalService } from './loaders/local-service';

const folder = join(import.meta.dirname, '..');
const root = join(folder, '../..');
const home = join(folder, 'fixtures');
const archive = join(home, 'client.tgz');

const execute = promisify(execFile);

/** Runs a program to its end. @throws with its output when it fails */
async function run(
  cwd: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    await execute(command, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** Installs the packages of an application once, and the package under test every time. */
async function install(fixture: string): Promise<void> {
  const cwd = join(home, fixture);
  const wanted = readFileSync(join(cwd, 'package.json'), 'utf8');
  const mark = join(cwd, 'node_modules/.installed.json');
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
    await run(cwd, 'npm', [
      'install',
      '--ignore-scripts',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]);
    writeFileSync(mark, wanted);
  }
  if (fixture === 'package') return;
  const installed = join(cwd, 'node_modules/@image-redirect/client');
  rmSync(installed, { recursive: true, force: true });
  cpSync(join(home, 'unpacked/package'), installed, { recursive: true });
}

async function checkPackage(): Promise<string> {
  await run(folder, 'npm', ['pack', '--silent', '--pack-destination', home]);
  const [packed = ''] = readdirSync(home).filter((name) => name.startsWith('image-redirect-client-'));
  copyFileSync(join(home, packed), archive);
  rmSync(join(home, packed));
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

async function checkFixture(fixture: Fixture, url: string, key: string): Promise<string> {
  const { name, page, imageTags, browserFolder, hasTypes } = fixture;
  const cwd = join(home, name);
  await install(name);
  if (hasTypes)
    await run(root, process.execPath, [
      'node_modules/typescript/bin/tsc',
      '-p',
      join(cwd, 'tsconfig.types.json'),
    ]);
  rmSync(join(cwd, page), { force: true });
  await run(cwd, 'npm', ['run', '--silent', 'render'], {
    IMAGE_REDIRECT_URL: url,
    NEXT_PUBLIC_IMAGE_REDIRECT_URL: url,
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
  });
  const groups = imagesInHtml(readFileSync(join(cwd, page), 'utf8'), url);
  const { urls, difference, faults } = await checkImages(groups, key);
  const all = [
    ...faults,
    ...(groups.length === imageTags ? [] : [`${groups.length} tags show images, not ${imageTags}`]),
    ...(browserFolder && !holds(join(cwd, browserFolder), url)
      ? [`what browsers run does not name ${url}`]
      : []),
  ];
  if (all.length > 0) throw new Error(all.join('\n'));
  return `${urls} URLs of ${groups.length} tags answered 302, each tag with one image (sizes differ by at most ${difference.toFixed(1)} of 255)`;
}

function holds(path: string, text: string): boolean {
  return readdirSync(path, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8').includes(text),
  );
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
  const unknown = names.filter((name) => !fixtures.some((fixture) => fixture.name === name));
  if (unknown.length > 0)
    throw new Error(
      `No fixture ${unknown.join(', ')}; there are ${fixtures.map(({ name }) => name).join(', ')}.`,
    );
  const results = [await step('package', checkPackage)];
  const service = await startLocalService(root);
  try {
    for (const fixture of fixtures.filter(({ name }) => names.length === 0 || names.includes(name)))
      results.push(await step(fixture.name, () => checkFixture(fixture, service.url, service.key)));
  } finally {
    service.stop();
  }
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

// Until everything went well; a program that ends early has not.
process.exitCode = 1;
main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
