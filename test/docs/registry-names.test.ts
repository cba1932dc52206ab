/** Tests that documents name only packages of the lock file, because anybody may register another name. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPlans } from '../../lambda/contract/plans';
import { defaultSite } from '../../lambda/contract/settings';
import { writeLlmsText, writeSkill } from '../../lambda/docs/guide';
import { describeApi } from '../../lambda/docs/openapi/document';
import { writeAccountPage, writeDocumentationPage } from '../../lambda/docs/page/page';
import { bundlePageAssets } from '../../lib/functions/bundle';
import { packages } from '../../package-lock.json';

const root = join(__dirname, '../..');
const rootUrl = 'https://img.example.com';
const { docs, account } = bundlePageAssets();
const pageValues = { rootUrl, plans: defaultPlans, site: defaultSite, examplesUrl: `${rootUrl}/examples` };

/** Reads the text that a page shows. */
const readText = (page: string) =>
  page.replace(/<[^>]*>/g, '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
const servedTexts = {
  '/llms.txt': writeLlmsText(rootUrl, defaultPlans),
  '/skill.md': writeSkill(rootUrl),
  '/openapi.json': JSON.stringify(describeApi(rootUrl)),
  '/': readText(writeDocumentationPage(pageValues, docs)) + docs.script,
  '/account': readText(writeAccountPage(pageValues, account)) + account.script,
};

/** The documents, and the sources with messages for people. */
const files = execFileSync(
  'git',
  ['ls-files', '*.md', '.github', 'bin', 'cli', 'lambda', 'local', 'packages/*/src'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n');
const texts = [
  ...Object.entries(servedTexts),
  ...files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
];

/** Commands of the packages that the lock file names. */
const commands = Object.entries(packages as Record<string, { readonly bin?: object }>)
  .filter(([path]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path))
  .flatMap(([, { bin = {} }]) => Object.keys(bin));

const ourPackage = /^(?:https?:\/\/\S+|\$\{rootUrl\}\S*)\/?client(?:\.tgz|Package\})/;

/** Finds commands in a text that run or install a package that is not ours, not locked and not pinned. */
function findForeignCommands(text: string): readonly string[] {
  const runCommands = [...text.matchAll(/\bnpx((?:[ \t]+--?\w[\w-]*)*)[ \t]+([^\s`'"]+)/g)].filter(
    ([, flags = '', name = '']) =>
      / -(?:p|-package)$/.test(flags)
        ? !ourPackage.test(name)
        : !commands.includes(name) && !/^(?:mcp-remote@\d+\.\d+\.\d+|\$\{mcpRemote\})$/.test(name),
  );
  const installCommands = [
    ...text.matchAll(/\bnpm (?:i|install|add)((?:[ \t]+--?\w[\w-]*)*)[ \t]+(?!-)([^\s`'"]+)/g),
  ].filter(([, , name = '']) => !ourPackage.test(name));
  return [...runCommands, ...installCommands].map(([command]) => command);
}

test.each(texts)('the lock file has all packages that %s names', (_, text) => {
  expect(findForeignCommands(text)).toEqual([]);
});
