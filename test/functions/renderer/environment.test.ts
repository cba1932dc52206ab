/** The renderer function as it starts from its environment: whom it asks with which key, and in whose name. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { settings } from '../../../lambda/functions/renderer/settings';
import { createImageLibrary } from '../../../lambda/images/s3/open-library';
import { libraryPath } from '../../fakes/branded';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { aroundFunctions, started } from '../started';

aroundFunctions();
let store: URL;
let aws: Loopback;
/** Path, key and sender of each request to a provider, and each secret that was read. */
const asked: (readonly (string | undefined)[] | { readonly SecretId: string })[] = [];
beforeAll(async () => {
  store = pathToFileURL(mkdtempSync(join(tmpdir(), 'renderer-')));
  aws = await listenOnLoopback(async (request, response) => {
    const { url, headers } = request;
    if (headers['x-amz-target'] === 'secretsmanager.GetSecretValue') {
      asked.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
      return response.end(JSON.stringify({ SecretString: '{"unsplash":"s3cret"}' }));
    }
    asked.push([url, headers.authorization, headers['user-agent']]);
    return response.end('{}');
  });
});
afterAll(async () => {
  await aws.stop();
  rmSync(store, { recursive: true });
});

/** What a new instance asks for jobs. @param changes variables beside those that all of these need */
async function askedFor(jobs: readonly object[], changes: Readonly<Record<string, string>> = {}) {
  const handle = await started(() => import('../../../lambda/functions/renderer/main'), settings, {
    AWS_ENDPOINT_URL: aws.address,
    CONTACT: 'ops@example.org',
    IMAGE_STORE: store.href,
    PROVIDER_SECRET_ID: 'keys',
    PROVIDER_ENDPOINTS: JSON.stringify({ unsplash: aws.address }),
    ...changes,
  });
  asked.length = 0;
  for (const job of jobs)
    await handle(job, { getRemainingTimeInMillis: () => 28_000 }).catch(() => undefined);
  return asked;
}

const sender = expect.stringContaining('(ops@example.org)');
const rendition = {
  path: libraryPath('renditions/a/640x360.webp'),
  widthPx: 640,
  heightPx: 360,
  format: 'webp',
  metadata: { creditLine: 'Zoë', aiGenerated: false },
};

test.each([
  ['its own limits', {}, ['/photos/a/download', '/photos/b/download']],
  ['those of the operator', { PROVIDER_QUOTAS: '{"unsplash":{"perHour":1}}' }, ['/photos/a/download']],
])('uses are reported to a provider within %s', async (_, changes, paths) => {
  const reports = ['a', 'b'].map((photo) => {
    const url = `${aws.address}/photos/${photo}/download`;
    return { kind: 'report-use', provider: 'unsplash', url };
  });
  const requests = paths.map((path) => [path, 'Client-ID s3cret', sender]);
  expect(await askedFor(reports, changes)).toEqual([{ SecretId: 'keys' }, ...requests]);
});

test('an original is asked for in the name of the operator', async () => {
  const allowedHosts = [new URL(aws.address).host];
  const source = { kind: 'remote', url: `${aws.address}/a.jpg`, allowedHosts };
  expect(await askedFor([{ ...rendition, source }])).toEqual([['/a.jpg', undefined, sender]]);
});

test.each([
  [{}, []],
  [{ CONTENT_SECRET_ID: 'content' }, [{ SecretId: 'content' }]],
])('with %j, an AI image is signed with %j', async (changes, secrets) => {
  const bytes = await sharp({ create: { width: 640, height: 360, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const path = libraryPath('public/a/master.png');
  await createImageLibrary(store.href).put(path, { bytes, mediaType: 'image/png' });
  const metadata = {
    creditLine: 'AI',
    aiGenerated: true,
    generatedBy: { model: 'm', createdMs: 0 },
  };
  const job = { ...rendition, source: { kind: 'stored', path }, metadata };
  job.path = libraryPath(`renditions/${secrets.length}/640x360.webp`);
  expect(await askedFor([job], changes)).toEqual(secrets);
});
