/** The renderer function as wired: a drawing is stored in the library, and each model is asked its own questions. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { readRenditionOutcome } from '../../../lambda/images/renderer-answer';
import type { RenditionJob } from '../../../lambda/images/renderer-job';
import { libraryPath } from '../../fakes/branded';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

// Painting is work for the processor, and a busy machine takes its time.
jest.setTimeout(20_000);

const before = process.env;
let folder: string;
let model: Loopback;
beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  folder = mkdtempSync(join(tmpdir(), 'renderer-'));
  model = await listenOnLoopback(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const content = JSON.stringify(body.includes('"name":"judgement"') ? judgement : { searches });
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  process.env = before;
  await model.stop();
  rmSync(folder, { recursive: true });
});

/** What a new instance answers. @param more variables beside those that it needs */
async function answer(event: unknown, more: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const needed = { CACHE_TABLE: 'cache', CONTACT: 'ops@example.org', AWS_REGION: 'us-east-1' };
  process.env = { ...before, ...needed, IMAGE_STORE: pathToFileURL(folder).href, ...more };
  jest.resetModules();
  const { handler } = await import('../../../lambda/functions/renderer/main');
  return handler(event, { getRemainingTimeInMillis: () => 28_000 });
}

it('draws an image into the library of its environment', async () => {
  const job: RenditionJob = {
    path: libraryPath('stock/sandbox/abc/640x360.webp'),
    source: { kind: 'drawing', words: 'mountain lake', seed: '1' },
    widthPx: 640,
    heightPx: 360,
    format: 'webp',
    metadata: { creditLine: 'Drawn by the sandbox', aiGenerated: false },
  };
  expect(readRenditionOutcome(await answer(job))).toEqual({
    outcome: 'stored',
    placeholder: {
      color: expect.any(String),
      dataUri: expect.any(String),
      thumbhash: expect.any(String),
    },
  });
  const image = await sharp(readFileSync(join(folder, job.path))).metadata();
  expect(image).toMatchObject({ format: 'webp', width: 640, height: 360 });
});

const searches = ['lake', 'water'];
const verdict = { fit: 'exact', has: [], focal: { x: 0.5, y: 0.5 }, calm: 'none' };
const judgement = { images: [{ n: 1, ...verdict }], alt: 'A lake' };
const drawing = { kind: 'drawing', words: 'lake', seed: '1' };
const toJudge = { kind: 'judge', query: 'lake', images: [{ source: drawing }] };
const toRewrite = { kind: 'rewrite', query: 'a lake in the morning' };

it.each([
  ['JUDGE', toJudge, { outcome: 'judged', images: [{ index: 0, ...verdict }], alt: 'A lake' }],
  ['REWRITER', toRewrite, { outcome: 'rewritten', searches }],
  ['JUDGE', toRewrite, { outcome: 'rewritten' }],
  ['REWRITER', toJudge, { outcome: 'unjudged' }],
])('asks the model of %s alone, and it alone: %j', async (name, question, said) => {
  const settings = { kind: 'openai-compatible', baseUrl: model.address, model: 'm' };
  expect(await answer(question, { [name]: JSON.stringify(settings) })).toEqual(said);
});
