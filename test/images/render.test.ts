/** Renditions from each kind of source. Each path is stored once. */

import { drawScene } from '@image-redirect/scene';
import { type SignedEdit, signImage } from '../../lambda/images/c2pa/sign-image';
import { type FetchedOriginal, fetchOriginal } from '../../lambda/images/fetch/fetch-original';
import type { Placeholder } from '../../lambda/images/image';
import { type RenderServices, renderAndStore } from '../../lambda/images/render';
import type { RenditionJob, RenditionSource, Unusable } from '../../lambda/images/renderer-job';
import type { EncodedImage } from '../../lambda/images/sharp/sharp-codec';
import * as sharpCodec from '../../lambda/images/sharp/sharp-codec';
import { createFakeImageStore, type FakeImageStore } from '../fakes/image-store';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { makeProviderUrl, makeStoredPath, webpPlaceholder } from '../fakes/values';

jest.mock('@image-redirect/scene');
jest.mock('../../lambda/images/c2pa/sign-image');
jest.mock('../../lambda/images/fetch/fetch-original');
jest.mock('../../lambda/images/sharp/sharp-codec');
const codec = jest.mocked(sharpCodec);

const fetching = { allowedLoopback: [] };
const makeJob = (source: RenditionSource): RenditionJob => ({
  path: makeStoredPath('stock/a/300x200.webp'),
  source,
  widthPx: 300,
  heightPx: 200,
  format: 'webp',
  metadata: { creditLine: 'Zoë', aiGenerated: false },
});
const drawingJob = makeJob({
  kind: 'drawing',
  words: 'mountain lake',
  seed: 's',
  style: 'dark',
  variation: 3,
});
const remoteJob = makeJob({
  kind: 'remote',
  url: makeProviderUrl('https://a.example/1.jpg'),
  allowedHosts: ['a.example'],
});
const masterJob = makeJob({ kind: 'stored', path: makeStoredPath('private/acc/master.png') });
const encoded = { outcome: 'encoded', bytes: Buffer.from('encoded'), mediaType: 'image/webp' } as const;
const neverAborted = new AbortController().signal;
/** The outcome of a job that has stored its image. */
const madeNow = { outcome: 'stored', isNew: true } as const;

let imageStore: FakeImageStore;
let calls: unknown[][];
let rendered: EncodedImage | Unusable;
let placeholder: Placeholder | undefined;
let fetched: FetchedOriginal;

const render = (job: RenditionJob, signal = neverAborted, change: Partial<RenderServices> = {}) =>
  renderAndStore({ imageStore, fetching, telemetry: createRecordedTelemetry(), ...change }, job, signal);

beforeEach(() => {
  imageStore = createFakeImageStore();
  calls = [];
  rendered = encoded;
  placeholder = undefined;
  fetched = { outcome: 'fetched', bytes: Buffer.from('original') };
  codec.makePlaceholder.mockImplementation(async () => {
    if (!placeholder) throw new Error('unreadable');
    return placeholder;
  });
  codec.measureImage.mockResolvedValue({ outcome: 'unusable', reason: 'not asked' });
  codec.renderOriginal.mockImplementation(async (...call) => {
    calls.push(['render', ...call]);
    return rendered;
  });
  codec.paintSvg.mockImplementation(async (...call) => {
    calls.push(['paint', ...call]);
    return encoded;
  });
  jest.mocked(drawScene).mockImplementation((scene) => `drawn: ${JSON.stringify(scene)}`);
  jest.mocked(fetchOriginal).mockImplementation(async (rules, url, hosts) => {
    calls.push(['fetch', rules, url, hosts]);
    return fetched;
  });
});

test('a drawing is stored in the size of its rendition', async () => {
  expect(await render(drawingJob)).toEqual(madeNow);
  const scene = {
    words: 'mountain lake',
    seed: 's',
    style: 'dark',
    variation: 3,
    widthPx: 300,
    heightPx: 200,
  } as const;
  expect(calls).toEqual([['paint', drawScene(scene), drawingJob]]);
  expect(imageStore.images.get(drawingJob.path)).toEqual({ bytes: encoded.bytes, mediaType: 'image/webp' });
});

test('a card has one colour', async () => {
  const card = { ...drawingJob, source: { kind: 'card', color: '#6a7b8c' } } as const;
  await render(card);
  expect(calls).toEqual([['paint', expect.stringContaining('fill="#6a7b8c"'), card]]);
});

test('a card is drawn for a colour #rrggbb only', async () => {
  const source = { kind: 'card', color: 'red"/><script>' } as const;
  await expect(render({ ...drawingJob, source })).rejects.toThrow(TypeError);
  expect(calls).toEqual([]);
});

test('an original is fetched from its allowed hosts', async () => {
  expect(await render(remoteJob)).toEqual(madeNow);
  expect(calls).toEqual([
    ['fetch', fetching, 'https://a.example/1.jpg', ['a.example']],
    ['render', Buffer.from('original'), remoteJob],
  ]);
});

test('a small master is enlarged to the requested size', async () => {
  await imageStore.put(makeStoredPath('private/acc/master.png'), Buffer.from('master'));
  expect(await render(masterJob)).toEqual(madeNow);
  expect(calls).toEqual([['render', Buffer.from('master'), masterJob]]);
});

const generatedBy = { model: 'model-1', createdMs: 0 };
const aiMetadata = { metadata: { ...masterJob.metadata, generatedBy } };
test.each<[string, Partial<RenditionJob>, string, readonly object[]]>([
  ['an AI image is signed', aiMetadata, 'signed by the key', [{ generatedBy, masterSize: { widthPx: 9 } }]],
  ['an AI image with a label is signed', { ...aiMetadata, label: 'corner' }, 'signed by the key', [{}]],
  ['an AI image of 199 pixels in width is not signed', { ...aiMetadata, widthPx: 199 }, 'encoded', []],
  ['an AI image of 199 pixels in height is not signed', { ...aiMetadata, heightPx: 199 }, 'encoded', []],
  ['an image of unknown origin is not signed', {}, 'encoded', []],
])('%s', async (_, change, storedText, signedEdits) => {
  await imageStore.put(makeStoredPath('private/acc/master.png'), Buffer.from('master'));
  codec.measureImage.mockResolvedValue({
    outcome: 'measured',
    mediaType: 'image/png',
    widthPx: 9,
    heightPx: 9,
  });
  const edits: SignedEdit[] = [];
  jest.mocked(signImage).mockImplementation(async (image, edit, credentials) => {
    edits.push(edit);
    return { ...image, bytes: Buffer.from(`signed by ${credentials}`) };
  });
  const readContentCredentials = async () => 'the key';
  await render({ ...masterJob, ...change }, neverAborted, { readContentCredentials });
  expect(edits).toMatchObject(signedEdits);
  expect(Buffer.from(imageStore.images.get(masterJob.path)?.bytes ?? '').toString()).toBe(storedText);
});

test('a rendition that is stored is not made again', async () => {
  const before = { bytes: Buffer.from('before'), mediaType: 'image/webp' };
  await imageStore.put(drawingJob.path, before.bytes);
  for (const job of [drawingJob, remoteJob, masterJob])
    expect(await render(job)).toEqual({ outcome: 'stored' });
  expect(calls).toEqual([]);
  expect(imageStore.images.get(drawingJob.path)).toEqual(before);
});

test('the outcome has the placeholder of a new and of a stored rendition', async () => {
  placeholder = webpPlaceholder;
  expect(await render(drawingJob)).toEqual({ ...madeNow, placeholder });
  expect(await render(drawingJob)).toEqual({ outcome: 'stored', placeholder });
  expect(calls).toHaveLength(1);
});

test('nothing is stored for a missing or broken original', async () => {
  fetched = { outcome: 'unusable', reason: 'status 404' };
  expect(await render(remoteJob)).toEqual({ outcome: 'unusable', reason: 'status 404' });
  fetched = { outcome: 'fetched', bytes: Buffer.from('original') };
  rendered = { outcome: 'unusable', reason: 'cut off' };
  expect(await render(remoteJob)).toEqual({ outcome: 'unusable', reason: 'cut off' });
  expect(await render(masterJob)).toEqual({ outcome: 'gone' });
  expect(imageStore.images.size).toBe(0);
});

test('nothing is stored after the signal is aborted', async () => {
  await expect(render(drawingJob, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  expect(imageStore.images.size).toBe(0);
});
