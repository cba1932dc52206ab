/** Tests that links, files, symbols, commands and numbers of the documents exist in the code. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { createTool } from '../cli/image-redirect';
import { sharedCachingS, siteCachingS } from '../lambda/contract/edge';
import { imageParameters } from '../lambda/contract/parameters';
import * as plans from '../lambda/contract/plans';
import { imageSources, pickTtlMs } from '../lambda/contract/providers';
import * as bounds from '../lambda/contract/request-bounds';
import { batchBounds, pageBounds } from '../lambda/contract/request-bounds';
import { mcpRemote } from '../lambda/contract/routes';
import { testSlowMs, testValues } from '../lambda/contract/test-values';
import { makeCredentialTable } from '../lambda/docs/sentences';
import { writeMarkdownTable } from '../lambda/docs/text-table';
import { recordSchema } from '../lambda/images/record';
import { mcpTools } from '../lambda/pages/mcp/tools';
import { problems } from '../lambda/problems/problem';
import { reloadScript } from '../lambda/problems/reload-script';
import { engines, scripts } from '../package.json';

const root = join(__dirname, '..');
const readDocument = (path: string) => readFileSync(join(root, path), 'utf8');

const documents = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.md') && !/(^|\/)(node_modules|template|dist|fixtures|\.[^/]+)\//.test(path),
);

/** Returns the anchors of the headings of a document, as GitHub makes them. */
const listAnchors = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(documents)('each link of %s leads to a file or heading', (path) => {
  const targets = [...readDocument(path).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = targets.filter(([, file = '', anchor]) => {
    const target = file === '' ? path : join(dirname(path), file);
    return !existsSync(join(root, target)) || (anchor && !listAnchors(readDocument(target)).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

/** Returns true if a source defines a name. Anything else than a name must only occur in it. */
const isDefined = (text: string, name: string) =>
  /^[a-z]\w+$/i.test(name)
    ? new RegExp(
        `\\b(const|function\\*?|class|interface|type) ${name}\\b|\\b${name}\\??:|^\\s*(private )?${name}[<(]`,
        'm',
      ).test(text)
    : text.includes(name);

test.each(['docs/develop.md', 'docs/security.md'])(
  'each file, folder and symbol that %s names exists',
  (path) => {
    const namedFiles = [
      ...readDocument(path).matchAll(
        /`((?:bin|cli|lambda|lib|local|packages|test|tools)\/[\w./-]*)`(?: \(((?:`[^`\n]+`(?:, )?)+)\))?/g,
      ),
    ];
    expect(namedFiles.length).toBeGreaterThan(0);
    const missing = namedFiles.flatMap(([, file = '', symbols = '']) => {
      if (!existsSync(join(root, file))) return [file];
      const undefinedSymbols = [...symbols.matchAll(/`([^`]+)`/g)].filter(
        ([, symbol = '']) => !isDefined(readDocument(file), symbol),
      );
      return undefinedSymbols.map(([symbol]) => `${file}: ${symbol}`);
    });
    expect(missing).toEqual([]);
  },
);

/** Returns the commands and options of a command line that the tool does not have. */
function findFaults(command: Command, words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  const next = command.commands.find((subcommand) => subcommand.name() === first);
  if (next) return findFaults(next, rest);
  if (command.commands.length > 0 && first !== undefined && !first.startsWith('-')) return [first];
  const flags = words.filter((word) => /^--\w/.test(word) && word !== '--help');
  return flags.filter((flag) => !command.options.some(({ long }) => long === flag));
}

test.each(documents)('each command that %s shows exists', async (path) => {
  const commands = await createTool();
  const lines = [...readDocument(path).matchAll(/`(?!``)([^`\n]+)`|^([^`|\n]+)$/gm)].map(
    ([, inline, line]) => inline ?? line ?? '',
  );
  const faults = lines.flatMap((line) => {
    const script = line.match(/\bnpm (?:run (?:(?:-s|--silent) )?([\w:-]+)|(start|test))\b(?:.*? -- (.*))?/);
    const name = script?.[1] ?? script?.[2];
    if (name && !(name in scripts) && !line.includes('--workspace')) return [line];
    const tool = { 'image-redirect': '', start: 'start', keys: 'keys', doctor: 'doctor' }[name ?? ''];
    const call = tool === undefined ? undefined : `${tool} ${script?.[3]?.replace(/[;&|].*/, '') ?? ''}`;
    const words = call?.replace(/\s+#.*$/, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
    return words.length > 0 && findFaults(commands, words).length > 0 ? [line] : [];
  });
  expect(faults).toEqual([]);
});

const countDays = (seconds: number) => Math.floor(seconds / 86_400);
const { fresh, staleWhileRevalidate, staleIfError } = sharedCachingS;
const format = (count: number) => count.toLocaleString('en');
const { sidePx } = bounds;
const { workPerHour: work, tierPerSecond: perSecond } = plans;
const { accountPerMinute, allPerMinute, testPerMonth } = plans.generationBounds;
function writePlanRow(plan: plans.Plan): string {
  const { name, monthlyRequests: requests, generationsPerMonth, analytics } = plan;
  const monthly = requests === plans.unlimitedRequests ? 'unlimited' : `${format(requests)} a month`;
  const price = plans.makePlanTexts()[name].price?.replace(' per month', '');
  const months = analytics === 'by-key' ? `, ${plans.usageHistoryMonths} months` : '';
  const report = `${analytics.replace('-', ' ')}${months}`;
  return `| ${name} | ${price} | ${monthly} | ${format(generationsPerMonth)} a month | ${report} |`;
}

test.each([
  ['README.md', `seed\` (2 to ${bounds.choiceImagesMax} `],
  ['README.md', `(${sidePx.min}–${sidePx.max}, default ${sidePx.defaultWidth}×${sidePx.defaultHeight})`],
  ['README.md', `in one call (1–${batchBounds.imagesMax})`],
  ['README.md', `Node.js ${engines.node.replace('>=', '')} or newer`],
  ['README.md', `${plans.anonymousRequestsPerHour} per hour and IP address, stock only`],
  ['docs/start.md', writeMarkdownTable(makeCredentialTable())],
  ...Object.values(plans.defaultPlans).map((plan) => ['README.md', writePlanRow(plan)]),
  ...[10, 200, 1_000].map((executions) => {
    const { total, account } = plans.computeWaitingPlaces(executions);
    return ['docs/security.md', `${total} (${account}) for ${format(executions)}`];
  }),
  ['docs/security.md', plans.planNames.map((name) => `${name} ${format(work[name])}`).join(', ')],
  ['docs/security.md', `an anonymous address: ${work.anonymous}, all of them ${format(work.allAnonymous)};`],
  ['docs/security.md', `address under a site key: ${work.visitor}\n`],
  ['docs/security.md', `that is paid today: ${work.paidImage}\n`],
  ['docs/security.md', `in test mode ${work.test}\n`],
  ['docs/security.md', `test keys in an hour (${plans.testRequestsPerHour})`],
  ['docs/security.md', `about usage and keys (${plans.selfServicePerMinute} a minute)`],
  ['docs/security.md', `(${accountPerMinute}), in the minute of all accounts (${allPerMinute})`],
  ['docs/security.md', `Test keys have ${testPerMonth} images a month`],
  ['docs/security.md', `, ${plans.usageHistoryMonths} months: usage`],
  ['docs/security.md', `, ${pickTtlMs / 86_400_000} days after the last use:`],
  ['docs/operate.md', `${perSecond.anonymous} (anonymous) to ${format(perSecond.enterprise)} (enterprise)`],
  ['docs/use.md', `1 to ${bounds.queryCharactersMax} characters`],
  ['docs/use.md', `up to ${bounds.seedCharactersMax} characters`],
  ['docs/use.md', `${bounds.variationBounds.min} to ${bounds.variationBounds.max} | | another version`],
  ['docs/use.md', `(an image after ${testSlowMs / 1_000} seconds)`],
  ['docs/use.md', `A page has at most ${pageBounds.bytesMax / 1_048_576} MB`],
  ['docs/use.md', `takes 1 to ${batchBounds.imagesMax} images`],
  ['docs/use.md', `| \`${bounds.styles.join('`, `')}\` |`],
  ['docs/use.md', `| \`${imageSources.join('`, `')}\` |`],
  ['docs/use.md', `npx ${mcpRemote} `],
  ['docs/use.md', reloadScript],
  ['docs/use.md', `for up to ${countDays(fresh + staleWhileRevalidate)} days`],
  ['docs/use.md', `of signed URLs for up to ${countDays(fresh + staleIfError)} days`],
  // A revoked site key is refused everywhere within a minute: the authorizer knows it for half of that.
  ['docs/use.md', `of site keys for up to ${countDays(siteCachingS + staleIfError)}`],
])('%s states a number of the code: %s', (path, words) => expect(readDocument(path)).toContain(words));

test.each([
  ['parameter of an image', imageParameters],
  ['field of a record', Object.keys(recordSchema.shape)],
  ['tool of MCP', Object.keys(mcpTools)],
  ['error code', Object.keys(problems)],
  ['test value', testValues.map((value) => `test:${value}`)],
])('docs/use.md names every %s', (_, names) => {
  const guide = readDocument('docs/use.md');
  expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});
