/** The guides for programs and agents: their commands run, and the images load. */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { skillPath } from '../../lambda/contract/routes';
import { makeTestFolder, startFixture } from '../fakes/fixture';
import { ask, loadImage } from './ask';
import { getSharedService } from './shared-service';

const service = startFixture(getSharedService);
const folder = makeTestFolder();
/** The guides by their paths. */
const guides = new Map<string, string>();
beforeAll(async () => {
  for (const path of [skillPath, '/llms.txt']) guides.set(path, (await ask(service.url, { path })).body);
});

/** Runs the command of a guide for a path of the service. Returns the command and the response. */
async function run(guide: string, path: string) {
  const blocks = (guides.get(guide) ?? '').split('\n\n');
  const command = blocks.find((block) => block.startsWith('    curl') && block.includes(path)) ?? '';
  const env = { ...process.env, IMAGE_REDIRECT_KEY: service.keys.pro.live };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
  return { command, answer: JSON.parse(stdout) };
}

test('the skill has a name, a description and at most 6,000 characters', () => {
  const text = guides.get(skillPath) ?? '';
  expect(text).toMatch(/^---\nname: image-redirect\ndescription: \S.{20,}\n---\n/);
  expect(text).toContain(service.url);
  expect(text.length).toBeLessThanOrEqual(6_000);
});

test('the first screen of llms.txt forbids API keys in pages and names site keys', () => {
  const screen = (guides.get('/llms.txt') ?? '').split('\n').slice(0, 30).join('\n');
  expect(screen).toMatch(/site key/);
  expect(screen).toMatch(/Never put an API key \(pk_live_…, pk_test_…\) into a page/);
});

test.each([skillPath, '/llms.txt'])(
  'the batch command of %s returns images that visitors see',
  async (guide) => {
    const { command, answer } = await run(guide, '/api/images');
    const slots = [...command.matchAll(/"slot": "([^"]+)"/g)].map(([, slot]) => slot);
    expect(slots.length).toBeGreaterThan(1);
    expect(Object.keys(answer.images)).toEqual(slots);
    for (const { src, html } of Object.values<{ src: string; html: string }>(answer.images)) {
      expect(html).toMatch(/^<(?:img|figure|span)/);
      expect(html).not.toContain('pk_');
      await loadImage(await ask(service.url, { path: src.slice(service.url.length) }));
    }
  },
);

test.each([skillPath, '/llms.txt'])('the page command of %s fills the marked image', async (guide) => {
  const page = '<!doctype html><title>Tea</title><img data-image-query="cup of tea">';
  await writeFile(join(folder, 'page.html'), page);
  const { html, left, report } = (await run(guide, '/api/pages')).answer;
  expect(html).toMatch(/<img[^>]+src="http/);
  expect([left, report.length]).toEqual([0, 1]);
});
