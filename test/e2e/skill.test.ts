/** The skill for agents, followed literally: its commands run as they are printed, and a page of what they return shows to its visitors. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { skill } from '../../lambda/contract/routes';
import { ask } from './ask';
import { type SharedService, sharedService } from './shared-service';

let service: SharedService;
let text = '';
let folder = '';
beforeAll(async () => {
  service = await sharedService();
  text = (await ask(service.url, { path: skill })).body;
  folder = await mkdtemp(join(tmpdir(), 'skill-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The command of the text that names a path of the service. */
const commandFor = (path: string) =>
  text.split('\n\n').find((block) => block.startsWith('    curl') && block.includes(path)) ?? '';

/** Runs a command of the text, as an agent would. */
async function run(command: string): Promise<string> {
  const env = { ...process.env, IMAGE_REDIRECT_KEY: service.keys.pro.live };
  return (await promisify(execFile)('sh', ['-c', command], { cwd: folder, env })).stdout;
}

test('begins with its name and description, and has at most 6,000 characters', () => {
  expect(text).toMatch(/^---\nname: image-redirect\ndescription: \S.{20,}\n---\n/);
  expect(text).toContain(service.url);
  expect(text.length).toBeLessThanOrEqual(6_000);
});

test('its call for a page returns images that fifty visitors see, and no key', async () => {
  const command = commandFor('/api/images');
  const slots = [...command.matchAll(/"slot": "([^"]+)"/g)].map(([, slot]) => slot);
  const { images } = JSON.parse(await run(command)) as {
    images: Record<string, { src: string; html: string }>;
  };
  expect(Object.keys(images)).toEqual(slots);
  for (const { src, html } of Object.values(images)) {
    expect(html).toMatch(/^<(?:img|figure|span)/);
    expect(html).not.toContain('pk_');
    const views = await Promise.all(
      Array.from({ length: 50 }, () => ask(service.url, { path: src.slice(service.url.length) })),
    );
    expect(views.map(({ status }) => status)).toEqual(views.map(() => 302));
  }
});

test('its call for a page that exists fills what the page marks', async () => {
  await writeFile(
    join(folder, 'page.html'),
    '<!doctype html><title>Tea</title><img data-image-query="cup of tea">',
  );
  const { html, left, report } = JSON.parse(await run(commandFor('/api/pages')));
  expect(html).toMatch(/<img[^>]+src="http/);
  expect([left, report.length]).toEqual([0, 1]);
});
