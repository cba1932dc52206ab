// Reviews a pull request, for action.yml: annotates findings of `lint` and suggests what `fill` would write.
// The checkout is of the head of the pull request. The script leaves it as it was.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const { env } = process;
const archive = `${env.IMAGE_REDIRECT_URL.replace(/\/+$/, '')}/client.tgz`;
const options = { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] };
const runPages = (...args) =>
  spawnSync('npx', ['-y', '-p', archive, 'image-redirect-pages', ...args], options);

const lintResult = runPages('lint', env.PAGES_PATH, '--format', 'github');
process.stdout.write(lintResult.stdout);
const { pull_request: pull } = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'));
if (pull && env.IMAGE_REDIRECT_KEY) await suggest(pull);
process.exitCode = lintResult.status ?? 1;

/** Posts a review that suggests what `fill` would write, in the lines of the pull request. */
async function suggest({ number, head }) {
  const linesByFile = new Map();
  for (let page = 1, files = []; page === 1 || files.length === 100; page += 1) {
    files = await askGithub(`pulls/${number}/files?per_page=100&page=${page}`);
    for (const { filename, patch = '' } of files) linesByFile.set(filename, listShownLines(patch));
  }
  // A dry run names the files with placeholders. Only files of the pull request are filled.
  const rows = JSON.parse(runPages('fill', env.PAGES_PATH, '--json').stdout || '[]');
  const isChanged = ({ outcome, file }) => /^(?:filled|drawn)$/.test(outcome) && linesByFile.has(file);
  const files = [...new Set(rows.filter(isChanged).map(({ file }) => file))];
  if (files.length === 0) return;
  const oldContents = files.map((file) => readFileSync(file));
  const fillResult = runPages('fill', ...files, '--write');
  const suggestions = files.flatMap((path, index) => {
    const args = ['diff', '--unified=0', '--no-color', '--no-ext-diff', '--', path];
    const diff = spawnSync('git', args, options).stdout;
    writeFileSync(path, oldContents[index]);
    return listSuggestions(diff).map((change) => ({ path, ...change }));
  });
  const isShown = ({ path, line }) => linesByFile.get(path)?.has(line);
  const comments = suggestions
    .filter(isShown)
    .map(({ text, ...place }) => ({ ...place, side: 'RIGHT', body: writeFence('suggestion', text) }));
  if (comments.length === 0) return;
  // The lines with credits may be outside of the pull request, so the review quotes them.
  const creditParts = suggestions
    .filter((edit) => !isShown(edit) && edit.text.includes('data-image-credits'))
    .map(({ path, text }) => `At the end of ${path}:\n${writeFence('html', text)}`);
  const printedCredits = /^Show these credits[\s\S]*?(?=^\d+ filled)/m.exec(fillResult.stdout)?.[0] ?? '';
  const body = ['Images that fit the words beside them.', ...creditParts, printedCredits].join('\n\n').trim();
  await askGithub(`pulls/${number}/reviews`, { commit_id: head.sha, event: 'COMMENT', body, comments });
}

/** Lists the lines of a file that a patch shows: those that may be commented on. */
function listShownLines(patch) {
  const lines = new Set();
  let number = 0;
  for (const line of patch.split('\n')) {
    const start = /^@@ -\S+ \+(\d+)/.exec(line)?.[1];
    if (start) number = Number(start);
    else if (!/^[-\\]/.test(line)) lines.add(number++);
  }
  return lines;
}

/** Lists the changes of a diff without context. A change that adds or removes lines has no line. */
function listSuggestions(diff) {
  const hunks = diff.replaceAll('\r', '').matchAll(/^@@ -(\d+)(?:,(\d+))? .*\n((?:[-+\\].*\n?)*)/gm);
  return [...hunks].flatMap(([, start, count = 1, hunk]) => {
    const addedLines = (hunk.match(/^\+.*$/gm) ?? []).map((line) => line.slice(1));
    if (addedLines.length !== Number(count)) return [{ text: addedLines.join('\n') }];
    return addedLines.map((text, index) => ({ line: Number(start) + index, text }));
  });
}

/** Writes a block of GitHub's Markdown. Its fence has more ticks than a line of a page is likely to have. */
function writeFence(kind, text) {
  const fence = '`'.repeat(6);
  return `${fence}${kind}\n${text}\n${fence}`;
}

async function askGithub(path, body) {
  const response = await fetch(`${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}/${path}`, {
    headers: { Authorization: `Bearer ${env.GITHUB_TOKEN}`, Accept: 'application/vnd.github+json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`GitHub answers ${response.status}: ${await response.text()}`);
  return response.json();
}
