/** The rules of the codebase, checked against its sources. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { innocents, violations } from './architecture-violations';

const root = join(__dirname, '..');
const sourceFolders = ['bin', 'lib', 'lambda', 'packages'] as const;

interface Violation {
  readonly rule: string;
  readonly from: string;
}

/** Runs the import rules over the source folders below a folder. */
function cruise(folder: string): readonly Violation[] {
  const command = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const rules = ['--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json'];
  let output: string;
  try {
    const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' } as const;
    output = execFileSync(process.execPath, [command, ...rules, ...sourceFolders], options);
  } catch (error) {
    // It ends with the number of violations; without a report on stdout it did not run at all.
    output = (error as { stdout?: string }).stdout ?? '';
    if (!output.startsWith('{')) throw error;
  }
  const { summary } = JSON.parse(output) as {
    summary: { totalCruised: number; violations: { from: string; rule: { name: string } }[] };
  };
  if (summary.totalCruised < 5) throw new Error('The rules were run over nothing.');
  return summary.violations.map(({ from, rule }) => ({ rule: rule.name, from }));
}

interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry): Source[] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isBuiltOrApart(path) ? [] : sourcesIn(path);
    if (!/\.(ts|mjs|cjs)$/.test(entry.name)) return [];
    const text = readFileSync(join(root, path), 'utf8');
    return [{ path, text, lines: text.split('\n').length - 1 }];
  });
}

/** Whether a folder holds what is installed or built, the applications that a package is tried in, or its tests. */
function isBuiltOrApart(folder: string): boolean {
  return /(^|\/)node_modules$|^packages\/[^/]+\/(dist|fixtures|test)$/.test(folder);
}

const sources = sourceFolders.flatMap((folder) => sourcesIn(folder));
const tests = [
  ...sourcesIn('test'),
  ...readdirSync(join(root, 'packages')).flatMap((name) => sourcesIn(join('packages', name, 'test'))),
];
/** Whether a file belongs to a command. */
const isCommand = (path: string) => /^(packages\/[^/]+\/)?bin\//.test(path);
/** A source without its comments, in which words do not count as code. */
const codeOf = ({ text }: Source) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
const where = (wanted: (source: Source) => boolean) => sources.filter(wanted).map(({ path }) => path);

describe('the import rules', () => {
  it('hold in all sources', () => {
    expect(cruise(root)).toEqual([]);
  });

  it('report each file that breaks a rule, and no other', () => {
    const folder = mkdtempSync(join(tmpdir(), 'architecture-'));
    try {
      const files = Object.assign({}, innocents, ...Object.values(violations)) as Record<string, string>;
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(folder, dirname(path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const found = cruise(folder);
      for (const [rule, files] of Object.entries(violations))
        expect(found).toContainEqual({ rule, from: Object.keys(files)[0] });
      const guilty = new Set(found.map(({ from }) => from));
      expect(Object.keys(innocents).filter((path) => guilty.has(path))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are each broken once by the fixture, so that a new rule gets its own', () => {
    const { forbidden } = require('../.dependency-cruiser.cjs') as { forbidden: { name: string }[] };
    expect(forbidden.map(({ name }) => name).toSorted()).toEqual(Object.keys(violations).toSorted());
  });
});

describe('the size of files', () => {
  const sizes = sources.map(({ lines }) => lines).sort((a, b) => a - b);
  const quantile = (share: number) => sizes[Math.floor((sizes.length - 1) * share)] ?? 0;

  it('is 80 lines or fewer for the half of them', () => expect(quantile(0.5)).toBeLessThanOrEqual(80));
  it('is 160 lines or fewer for nine in ten', () => expect(quantile(0.9)).toBeLessThanOrEqual(160));
  it('is never above 250 lines', () => expect(where(({ lines }) => lines > 250)).toEqual([]));
});

describe('the files', () => {
  it('are not named utils, helpers, common, shared or misc', () => {
    const habit = /^(utils?|helpers?|commons?|shared|misc|index)(\.|$)/i;
    const names = [...sources.map(({ path }) => path), ...tests.map(({ path }) => path)];
    expect(names.filter((path) => path.split('/').some((part) => habit.test(part)))).toEqual([]);
  });

  it('begin with a sentence that describes the file', () => {
    expect(where(({ text }) => !/^(#!.*\n)?\/\*\*?[\s*]+\S|^(#!.*\n)?\/\/ \S/.test(text))).toEqual([]);
  });
});

describe('the environment', () => {
  /** Files that may read it for a reason of their own. */
  const excepted: Readonly<Record<string, string>> = {
    'lib/functions/native-sharp.ts': 'hands it on to npm as it is, when the stack is synthesised',
    'lambda/functions/docs/page/browser/published-snippets.ts': 'writes code for a server of the caller',
    'packages/client/src/next.ts': 'names the variable that Next.js replaces when it builds',
  };

  it('is read by main.ts files and by commands', () => {
    const readers = where((source) => /process\.env\b/.test(codeOf(source)));
    const unexpected = readers.filter((path) => !isCommand(path) && basename(path) !== 'main.ts');
    expect(unexpected).toEqual(Object.keys(excepted).filter((path) => readers.includes(path)));
  });
});

describe('the network', () => {
  /** Files that may call it for a reason of their own. */
  const excepted: Readonly<Record<string, string>> = {
    'lib/deploy-time/custom-resource.ts':
      'answers CloudFormation while it deploys; it has no use cases and no ports',
    'lambda/functions/docs/page/browser/fetch-record.ts': 'runs in the browser',
    'lambda/functions/docs/page/browser/snippets.ts': 'contains a snippet for other pages, as text',
    'packages/client/src/fetch-records.ts': 'is a client of the service',
  };

  it('is reached by adapters only', () => {
    const callers = where((source) => /(?<![\w.])fetch\(|node:https?['"]|node:net['"]/.test(codeOf(source)));
    const unexpected = callers.filter((path) => !isCommand(path) && !path.startsWith('lambda/adapters/'));
    expect(unexpected.toSorted()).toEqual(Object.keys(excepted).toSorted());
  });
});

describe('time and randomness', () => {
  it('are parameters, but for adapters, what waits and the wiring of functions', () => {
    const machine =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\b|\bAbortSignal\.timeout\(|\bset(Timeout|Interval|Immediate)\(/;
    const ownMachine = /^lambda\/(adapters|async|functions\/docs\/page\/browser)\/|main\.ts$/;
    const readers = where((source) => source.path.startsWith('lambda/') && machine.test(codeOf(source)));
    expect(readers.filter((path) => !ownMachine.test(path))).toEqual([]);
  });
});

describe('the tests', () => {
  /** Tests of code that starts timers by itself, because it runs for every request. */
  const withFakeTimers = { 'test/adapters/dynamodb/call.test.ts': 'deadlines of DynamoDB calls' };

  it('mock no modules and skip nothing', () => {
    const bad = tests.filter((source) =>
      /jest\.(mock|doMock|useFakeTimers)\(|\b(it|test|describe)\.(only|skip|todo)\(|\bx(it|describe)\(/.test(
        codeOf(source),
      ),
    );
    const unexpected = bad.map(({ path }) => path).filter((path) => path !== relative(root, __filename));
    expect(unexpected.toSorted()).toEqual(Object.keys(withFakeTimers));
  });
});
