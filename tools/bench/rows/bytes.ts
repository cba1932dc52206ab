/** The bytes that manifests add to images. What functions load is bounded in test/lib/bundle.test.ts. */

import { manifestAVIF, manifestJPEG, manifestWebP } from '../programs/images';
import { type Row, rowOf } from '../row';

const kilobyte = 1_024;
/** Most bytes that a manifest may add. */
const manifestBytesMax = 20_000;

/** Rows of the group `bytes`, the same on every machine. */
export function measureBytes(): Promise<readonly Row[]> {
  const images = Object.entries({ JPEG: manifestJPEG, WebP: manifestWebP, AVIF: manifestAVIF });
  return Promise.all(
    images.map(async ([format, sign]) => {
      const { plain, signed } = await sign();
      return rowOf({
        group: 'bytes',
        name: `1920 × 1080 as ${format} with its manifest`,
        baseline: 'without a manifest',
        unit: 'KB',
        measured: [signed / kilobyte],
        least: [plain / kilobyte],
        ratioMax: 1 + manifestBytesMax / plain,
      });
    }),
  );
}
