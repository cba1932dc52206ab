/** The documents: links lead somewhere, named files and symbols exist, and shown commands exist. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { createTool } from '../cli/image-redirect';
import { batchBounds } from '../lambda/contract/batch';
import { credentialTable } from '../lambda/contract/credentials';
import { imageParameters } from '../lambda/contract/parameters';
import * as plans from '../lambda/contract/plans';
import { imageSources } from '../lambda/contract/providers';
import { choiceImagesMax, sidePx, styles } from '../lambda/contract/request-bounds';
import { mcpRemote } from '../lambda/contract/routes';
import { recordSchema } from '../lambda/images/record';
import { tools } from '../lambda/pages/mcp/tools';
import { problems } from '../lambda/problems/problem';
import { reloadScript } from '../lambda/problems/reload-script';
import { engines, scripts } from '../package.json';

const root = join(__dirname, '..');
const ignored = new Set(['node_modules', 'template', 'dist', 'fixtures']);
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ignored.has(entry.name) || entry.name.startsWith('.') ? [] : markdownBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const documents = markdownBelow('.');
const records = documents.filter((path) => /decisions\/\d/.test(path));

/** Anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(documents)('%s links to files and headings that exist', (path) => {
  const targets = [...textOf(path).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = targets.filter(([, file = '', anchor]) => {
    const target = file === '' ? path : join(dirname(path), file);
    return !existsSync(join(root, target)) || (anchor && !anchorsOf(textOf(target)).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

describe.each(['docs/develop.md', 'docs/security.md'])('%s', (path) => {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const isPath = (text: string) =>
    /^[\w./-]+$/.test(text) && folders.some(({ name }) => text.startsWith(`${name}/`));
  const named = [...textOf(path).matchAll(/`([^`\n]+)`(?: \(((?:`[^`\n]+`(?:, )?)+)\))?/g)].filter(
    ([, text = '']) => isPath(text),
  );

  test('names files and folders that exist', () => {
    expect(named.length).toBeGreaterThan(0);
    expect(named.map(([, file = '']) => file).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test('names symbols that are in the file before them', () => {
    const absent = named.flatMap(([, file = '', symbols = '']) =>
      [...symbols.matchAll(/`([^`]+)`/g)]
        .map(([, symbol = '']) => symbol)
        .filter((symbol) => !textOf(file).includes(symbol))
        .map((symbol) => `${file}: ${symbol}`),
    );
    expect(absent).toEqual([]);
  });
});

/** The commands and options of a command line that the tool does not have. */
function faultsOf(command: Command, words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  const next = command.commands.find((subcommand) => subcommand.name() === first);
  if (next) return faultsOf(next, rest);
  if (command.commands.length > 0 && first !== undefined && !first.startsWith('-')) return [first];
  const flags = words.filter((word) => /^--\w/.test(word) && word !== '--help');
  return flags.filter((flag) => !command.options.some(({ long }) => long === flag));
}

test.each(documents)('%s shows commands that exist', async (path) => {
  const commands = await createTool();
  const lines = [...textOf(path).matchAll(/`(?!``)([^`\n]+)`|^([^`|\n]+)$/gm)].map(
    ([, inline, line]) => inline ?? line ?? '',
  );
  const faults = lines.flatMap((line) => {
    const script = line.match(/\bnpm (?:run (?:(?:-s|--silent) )?([\w:-]+)|(start|test))\b(?:.*? -- (.*))?/);
    const name = script?.[1] ?? script?.[2];
    if (name && !(name in scripts) && !line.includes('--workspace')) return [line];
    const called = { 'image-redirect': '', start: 'start', keys: 'keys', doctor: 'doctor' }[name ?? ''];
    const given = called === undefined ? undefined : `${called} ${script?.[3]?.replace(/[;&|].*/, '') ?? ''}`;
    const words = given?.replace(/\s+#.*$/, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
    return words.length > 0 && faultsOf(commands, words).length > 0 ? [line] : [];
  });
  expect(faults).toEqual([]);
});

test('docs/develop.md runs single tests by paths and titles that exist', () => {
  const shown = [...textOf('docs/develop.md').matchAll(/npx jest (test\/\S+)(?: +-t '([^']+)')?/g)];
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const tests = files.filter((file) => file.endsWith('.test.ts')).map((file) => `test/${file}`);
  const missing = shown.filter(
    ([, path = '', title = '']) =>
      !tests.some((file) => file.startsWith(path) && textOf(file).includes(title)),
  );
  expect([shown.length > 0, missing]).toEqual([true, []]);
});

const en = (count: number) => count.toLocaleString('en');
function cellsOf({ name, monthlyRequests: requests, generationsPerMonth }: plans.Plan): string {
  const monthly = requests === plans.unlimitedRequests ? 'unlimited' : `${en(requests)} a month`;
  const price = plans.planTexts()[name].price?.replace(' per month', '');
  return `| ${name} | ${price} | ${monthly} | ${en(generationsPerMonth)} a month |`;
}

test.each([
  ['README.md', `seed\` (2 to ${choiceImagesMax} `],
  ['README.md', `(${sidePx.min}–${sidePx.max}, default ${sidePx.defaultWidth}×${sidePx.defaultHeight})`],
  ['README.md', `in one call (1–${batchBounds.imagesMax})`],
  ['README.md', `Node.js ${engines.node.replace('>=', '')} or newer`],
  ['README.md', `${plans.anonymousRequestsPerHour} per hour and IP address, stock only`],
  ['docs/start.md', credentialTable()],
  ...Object.values(plans.defaultPlans).map((plan) => ['README.md', cellsOf(plan)]),
  ['docs/security.md', plans.planNames.map((name) => `${name} ${en(plans.workPerHour[name])}`).join(', ')],
  ['docs/security.md', `an anonymous address: ${plans.workPerHour.anonymous},`],
  ['docs/use.md', `takes 1 to ${batchBounds.imagesMax} images`],
  ['docs/use.md', `: \`${styles.join('`, `')}\` |`],
  ['docs/use.md', `| \`${imageSources.join('`, `')}\` |`],
  ['docs/use.md', `npx ${mcpRemote} `],
  ['docs/use.md', reloadScript],
])('%s states what the code says: %s', (path, words) => expect(textOf(path)).toContain(words));

describe('a decision record', () => {
  test('has a number of its own and is listed in the index', () => {
    const numbers = records.map((path) => basename(path).slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
    const index = textOf('docs/decisions/README.md');
    expect(records.filter((path) => !index.includes(`](${basename(path)})`))).toEqual([]);
  });

  test.each(records)('%s says in which context what was decided, and what follows', (path) => {
    const text = textOf(path);
    expect(text).toMatch(new RegExp(`^# ${Number(basename(path).slice(0, 4))}\\. `));
    expect(text).toMatch(/^\*\*Status\.\*\* (Accepted|Replaced)/m);
    const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, part]) => part);
    expect(parts).toEqual(['Context', 'Options considered', 'Decision', 'Consequence']);
  });
});

test.each([
  ['parameter of an image', imageParameters],
  ['field of a record', Object.keys(recordSchema.shape)],
  ['tool of MCP', Object.keys(tools)],
  ['error code', Object.keys(problems)],
])('docs/use.md names every %s', (_, named) => {
  const guide = textOf('docs/use.md');
  expect(named.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});
