/** Runs the script of the action in a repository, against a fake service and a fake GitHub. */

import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { type Loopback, listenOnLoopback } from '../../../test/fakes/loopback';
import { createFakeService } from './pages/fake-service';

const client = join(__dirname, '..');
const page =
  '<h1>Harbor</h1>\n<img srcset="https://placehold.co/60x40 1x,\n  https://placehold.co/120x80 2x" alt="Old lake">\n<p>a</p>\n<img src="https://placehold.co/60x40" alt="Sea">\n</body>\n';
let server: Loopback;
let folder = '';
/** The calls of the service, and the requests to GitHub with their credential. */
let requests: string[] = [];
let reviews: { readonly comments: readonly { readonly body: string }[] }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'review-'));
  const outfile = join(folder, '.command.mjs');
  const entryPoints = [join(client, 'src/command/main.ts')];
  buildSync({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node' });
  // In place of npm's, which would install the archive of the service.
  writeFileSync(
    join(folder, 'npx'),
    `#!/bin/sh\n[ "$3" = "$IMAGE_REDIRECT_URL/client.tgz" ] || exit 9\nshift 4\nexec node '${outfile}' "$@"\n`,
  );
  chmodSync(join(folder, 'npx'), 0o755);
  const service = createFakeService();
  server = await listenOnLoopback(async (request, response) => {
    const { url = '', method } = request;
    const body =
      method === 'POST' ? JSON.parse(Buffer.concat(await request.toArray()).toString()) : undefined;
    if (url === '/api/images') requests.push(`${body.images.length} images`);
    if (url === '/api/images') return void response.end(JSON.stringify({ images: await service.find(body) }));
    requests.push(`${method} ${url} ${request.headers.authorization}`);
    if (body) reviews.push(body);
    const patch = '@@ -3,0 +4,2 @@\n <p>a</p>\n+<img src="https://placehold.co/60x40" alt="Sea">';
    const others = Array.from({ length: 100 }, (_, i) => ({ filename: `image-${i}.png` }));
    const files = url.endsWith('page=2') ? [{ filename: 'a.html', patch }] : others;
    response.end(JSON.stringify(method === 'POST' ? {} : files));
  });
  const event = JSON.stringify({ pull_request: { number: 7, head: { sha: 'abc' } } });
  for (const [name, text] of Object.entries({ 'a.html': page, 'other.html': page, 'event.json': event }))
    writeFileSync(join(folder, name), text);
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', 'a.html', 'other.html'], { cwd: folder });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  [reviews, requests] = [[], []];
});

const review = (key: string) =>
  new Promise<readonly [code: number, output: string]>((resolve) => {
    const env = {
      PATH: `${folder}:${process.env['PATH']}`,
      ...{ IMAGE_REDIRECT_URL: server.address, IMAGE_REDIRECT_KEY: key, PAGES_PATH: '.' },
      ...{ GITHUB_API_URL: server.address, GITHUB_REPOSITORY: 'a/b', GITHUB_EVENT_PATH: 'event.json' },
      GITHUB_TOKEN: 'the-token',
    };
    const args = [join(client, 'bin/review.mjs')];
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve([Number(error?.code ?? 0), stdout + stderr]),
    );
  });

test('review.mjs suggests images only in the lines of the pull request', async () => {
  const [code, output] = await review('pk_test_x');
  const credits = 'At the end of a.html:\n``````html\n<footer data-image-credits><small>';
  expect(code).toBe(1);
  expect(output).toContain(
    '::error file=a.html,line=2,title=dead-url::https://placehold.co/60x40 is a placeholder',
  );
  expect(reviews).toMatchObject([
    {
      commit_id: 'abc',
      event: 'COMMENT',
      body: expect.stringContaining(credits),
      comments: [{ path: 'a.html', line: 5, side: 'RIGHT' }],
    },
  ]);
  expect(reviews[0]?.comments[0]?.body).toMatch(
    /^`{6}suggestion\n<img src="https:[^\n]* data-image-filled="Sea">\n`{6}$/,
  );
  expect(readFileSync(join(folder, 'a.html'), 'utf8')).toBe(page);
  expect(requests).toEqual([
    'GET /repos/a/b/pulls/7/files?per_page=100&page=1 Bearer the-token',
    'GET /repos/a/b/pulls/7/files?per_page=100&page=2 Bearer the-token',
    '2 images',
    'POST /repos/a/b/pulls/7/reviews Bearer the-token',
  ]);
});

test('review.mjs without a key lists only findings', async () => {
  const [code, output] = await review('');
  expect([code, output.match(/title=dead-url/g)?.length, reviews]).toEqual([1, 4, []]);
});

test('action.yml passes each input in the environment', () => {
  const action = readFileSync(join(client, 'action.yml'), 'utf8');
  const inputs = [...action.matchAll(/(\w+): \$\{\{ inputs\.([\w-]+) \}\}/g)];
  expect(Object.fromEntries(inputs.map(([, variable, input]) => [variable, input]))).toEqual({
    ...{ IMAGE_REDIRECT_URL: 'service-url', IMAGE_REDIRECT_KEY: 'key', PAGES_PATH: 'path' },
  });
  expect(/^ +run: (.*)$/m.exec(action)?.[1]).toBe('node "$GITHUB_ACTION_PATH/bin/review.mjs"');
});
