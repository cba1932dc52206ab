/** The renderer function, started from its environment: its files, requests and secrets. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { rendererMarginMs } from '../../../lambda/contract/timeouts';
import { openImageStore } from '../../../lambda/images/stores/open-image-store';
import { rendererSettings as settings } from '../../../lambda/services/settings';
import { createLocalAws } from '../../../local/aws';
import { makeTestFolder } from '../../fakes/fixture';
import { makeStoredPath } from '../../fakes/values';
import { startFunction, startSurroundings } from '../started';

const folder = makeTestFolder();

/** The path, key and `User-Agent` of each request to a provider, and the name of each secret that was read. */
const providerRequests: (readonly (string | undefined)[] | string)[] = [];
const aws = createLocalAws({
  findSecret: (id) => {
    providerRequests.push(id);
    return '{"unsplash":"s3cret"}';
  },
  onFailure: () => undefined,
});
const surroundings = startSurroundings(async (request, response) => {
  const { url, headers } = request;
  if (headers['x-amz-target'] !== undefined) return aws.respond(request, response);
  providerRequests.push([url, headers.authorization, headers['user-agent']]);
  return response.writeHead(Number(/status-(\d+)/.exec(url ?? '')?.[1] ?? 200)).end('{}');
}, null);

/** Starts a new instance. @param changes environment variables beside the usual ones */
async function start(changes: Readonly<Record<string, string>> = {}) {
  const handle = await startFunction(() => import('../../../lambda/functions/renderer/main'), settings, {
    CONTACT: 'ops@example.org',
    IMAGE_STORE: pathToFileURL(folder).href,
    PROVIDER_SECRET_ID: 'keys',
    PROVIDER_ENDPOINTS: JSON.stringify({ unsplash: surroundings.address }),
    ...changes,
  });
  providerRequests.length = 0;
  return (job: object, leftMs = 28_000) => handle(job, { getRemainingTimeInMillis: () => leftMs });
}

const drawing = { kind: 'drawing', words: 'lake', seed: '1' };
const rendition = {
  path: makeStoredPath('stock/sandbox/abc/640x360.webp'),
  source: drawing as object,
  widthPx: 640,
  heightPx: 360,
  format: 'webp',
  metadata: { creditLine: 'Drawn by the sandbox', aiGenerated: false } as object,
};

test('the renderer stores a drawing in the image store of its environment', async () => {
  expect(await (await start())(rendition)).toEqual({
    outcome: 'stored',
    isNew: true,
    placeholder: {
      color: expect.any(String),
      dataUri: expect.any(String),
    },
  });
  const image = await sharp(readFileSync(join(folder, rendition.path))).metadata();
  expect(image).toMatchObject({ format: 'webp', width: 640, height: 360 });
});

const sender = expect.stringContaining('(ops@example.org)');

test('the renderer reports uses with the key of the provider', async () => {
  const report = await start();
  for (const photo of ['a', 'b']) {
    const url = `${surroundings.address}/photos/${photo}/download`;
    await report({ kind: 'report-use', provider: 'unsplash', url });
  }
  const paths = ['/photos/a/download', '/photos/b/download'];
  expect(providerRequests).toEqual(['keys', ...paths.map((path) => [path, 'Client-ID s3cret', sender])]);
});

test('a report fails only if a repeat may succeed', async () => {
  const report = await start();
  const reportTo = (path: string) =>
    report({ kind: 'report-use', provider: 'unsplash', url: `${surroundings.address}/photos/${path}` });
  await expect(reportTo('status-404')).resolves.toBeUndefined();
  await expect(reportTo('status-500')).rejects.toThrow();
});

test('the `User-Agent` for an original names the operator', async () => {
  const log = process.stderr.write as jest.MockedFunction<typeof process.stderr.write>;
  const allowedHosts = [new URL(surroundings.address).host];
  const source = { kind: 'remote', url: `${surroundings.address}/a.jpg`, allowedHosts };
  const path = makeStoredPath('stock/sandbox/original/640x360.webp');
  expect(await (await start())({ ...rendition, path, source })).toMatchObject({ outcome: 'unusable' });
  expect(providerRequests).toEqual([['/a.jpg', undefined, sender]]);
  const logLines = log.mock.calls.slice(-2).map(([line]) => JSON.parse(String(line)));
  expect(logLines).toMatchObject([
    { renditions: 1, outcome: 'unusable', source: 'remote' },
    { message: 'An original is unusable', reason: expect.any(String) },
  ]);
});

test('AI images are signed only if the environment names the secret', async () => {
  const source = { kind: 'stored', path: makeStoredPath('public/a/master.png') };
  const bytes = await sharp({ create: { width: 640, height: 360, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await openImageStore(pathToFileURL(folder).href).put(source.path, bytes);
  const metadata = { creditLine: 'AI', aiGenerated: true, generatedBy: { model: 'm', createdMs: 0 } };
  const job = { ...rendition, path: makeStoredPath('renditions/a/640x360.webp'), source, metadata };
  const sign = await start({ CONTENT_SECRET_ID: 'content' });
  await expect(sign(job)).rejects.toThrow('The content credentials have no key');
  expect(providerRequests).toEqual(['content']);
  expect(await (await start())(job)).toMatchObject({ outcome: 'stored' });
  expect(providerRequests).toEqual([]);
});

test('the renderer fails shortly before Lambda would stop it', async () => {
  const log = process.stderr.write as jest.MockedFunction<typeof process.stderr.write>;
  const path = makeStoredPath('stock/sandbox/late/640x360.webp');
  const late = (await start())({ ...rendition, path }, rendererMarginMs);
  await expect(late).rejects.toMatchObject({ name: 'DeadlineReached' });
  expect(log.mock.calls.some(([line]) => String(line).includes('The renderer failed'))).toBe(true);
});
