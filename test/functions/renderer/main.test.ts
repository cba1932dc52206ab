/** The renderer function as wired: a drawing is rendered and stored in the library. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { readRenditionOutcome } from '../../../lambda/images/renderer-answer';
import type { RenditionJob } from '../../../lambda/images/renderer-job';
import { libraryPath } from '../../fakes/branded';

// Painting is work for the processor, and a busy machine takes its time.
jest.setTimeout(20_000);

it('draws an image into the library of its environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'renderer-'));
  const before = { ...process.env };
  Object.assign(process.env, {
    IMAGE_STORE: pathToFileURL(folder).href,
    AWS_REGION: 'us-east-1',
    CACHE_TABLE: 'cache',
    CONTACT: 'ops@example.org',
  });
  const log = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const { handler } = await import('../../../lambda/functions/renderer/main');
    const job: RenditionJob = {
      path: libraryPath('stock/sandbox/abc/640x360.webp'),
      source: { kind: 'drawing', words: 'mountain lake', seed: '1' },
      widthPx: 640,
      heightPx: 360,
      format: 'webp',
      metadata: { creditLine: 'Drawn by the sandbox', aiGenerated: false },
    };
    const outcome = await handler(job, { getRemainingTimeInMillis: () => 28_000 });
    expect(readRenditionOutcome(outcome)).toEqual({
      outcome: 'stored',
      placeholder: {
        color: expect.any(String),
        dataUri: expect.any(String),
        thumbhash: expect.any(String),
      },
    });
    const image = await sharp(await readFile(join(folder, job.path))).metadata();
    expect(image).toMatchObject({ format: 'webp', width: 640, height: 360 });
  } finally {
    log.mockRestore();
    process.env = before;
    await rm(folder, { recursive: true });
  }
});
