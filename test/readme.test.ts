/** Every command of the README is run, here or by the file that the table names. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Here, type Treatment, treatments } from './readme/commands';
import { blockLanguages, commandsIn, root } from './readme/readme';
import { run, type Started, start } from './readme/run-npm';

type Kind = Treatment['kind'];
const treated = <K extends Kind>(kind: K) =>
  Object.entries(treatments).filter(
    (entry): entry is [string, Extract<Treatment, { readonly kind: K }>] => entry[1].kind === kind,
  );

jest.setTimeout(180_000);

/** The command of the README that says in JSON where the service is; what it has started serves all tests. */
const asJson = 'npm start --silent -- --port 0 --memory --json';

let service: Started;
let folder: string;
let here: Here;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'readme-'));
  service = start(asJson);
  const { url, keys } = JSON.parse(await service.wrote('stdout', /\n/));
  here = { url, ...keys.pro, folder };
});
afterAll(async () => {
  await ended(service);
  rmSync(folder, { recursive: true, force: true });
});

/** npm and its shell die of Ctrl-C; what the service itself ends with is a matter of lifecycle.test.ts. */
async function ended(started: Started): Promise<void> {
  const { stderr } = await started.stop();
  expect(stderr).not.toMatch(/Error|^ +at /m);
}

describe('the commands of the README', () => {
  test('are all in the table, and the table holds no others', () => {
    expect(Object.keys(treatments).toSorted()).toEqual([...new Set(commandsIn())].toSorted());
  });

  test('stand in shell blocks, where they are looked for', () => {
    expect([...new Set(blockLanguages())].toSorted()).toEqual(['', 'html', 'mermaid', 'sh']);
  });

  test.each(treated('run'))('%s: does what the README says', async (command, { as, shows }) => {
    const { exitCode, stdout, stderr } = await run(as ? as(command, here) : command);
    expect([exitCode, exitCode === 0 ? '' : stdout + stderr]).toEqual([0, '']);
    // The report of the end-to-end table comes from jest, which writes to stderr.
    expect(stdout + stderr).toMatch(shows);
  });

  test.each(treated('serve'))('%s: serves until Ctrl-C', async (command, { as, shows }) => {
    const started = command === asJson ? service : start(as ? as(command, here) : command);
    try {
      const said = await started.wrote('stderr', shows);
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      const answer = await fetch(`${url}/api/image/320x200-mountain-lake`);
      expect([answer.status, answer.headers.get('content-type')?.split('/')[0]]).toEqual([200, 'image']);
      if (command === asJson) {
        const lines = (await started.wrote('stdout', /\n/)).trimEnd().split('\n');
        expect(lines.map((line) => JSON.parse(line))).toMatchObject([
          { url, keys: { pro: { live: expect.stringMatching(/^pk_live_/) } } },
        ]);
      }
    } finally {
      if (started !== service) await ended(started);
    }
  });

  test.each(treated('elsewhere'))('%s: is run by the file that is named', (_, { file, words }) => {
    expect(existsSync(join(root, file))).toBe(true);
    const text = readFileSync(join(root, file), 'utf8');
    for (const each of words) expect(text).toContain(each);
  });

  test('name files that exist', () => {
    const files = commandsIn().flatMap((command) => command.match(/\b(?:events\/)?[\w.-]+\.json\b/g) ?? []);
    const kept = files.filter((file) => !file.endsWith('.template.json'));
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

test('a command that is new in a shell block is found, and a comment behind it is none', () => {
  const text =
    '```sh\nnpm start    # runs it\n\nnpm run new -- "a # b"\n# a comment\ncurl one \\\n  two\n```\n```html\nnpm run not\n```\n';
  expect(commandsIn(text)).toEqual(['npm start', 'npm run new -- "a # b"', 'curl one two']);
});
