/** Image operations, compared with the same operation on the bare library. */

import { mainOf } from '../builds';
import { alternate } from '../processes';
import { type Row, rowOf } from '../row';

/**
 * Name, baseline, the exports of both, operations in a round, and the highest ratio. Without one, the baseline lacks what
 * makes a result fit for a browser: one signature for an hour, a drawing, mozjpeg.
 */
const operations: readonly (readonly [string, string, string, string, number, number?])[] = [
  ['Signing a private URL', "Node's own signature", 'signByService', 'signByNode', 100],
  ['Drawing 1920 × 1080', 'sharp alone', 'draw', 'resizeJPEG', 1],
  ['Rendering 1920 × 1080 as JPEG', 'sharp alone', 'renderJPEG', 'resizeJPEG', 1],
  ['Rendering 1920 × 1080 as WebP', 'sharp alone', 'renderWebP', 'resizeWebP', 1, 1.25],
  ['Rendering 1920 × 1080 as AVIF', 'sharp alone', 'renderAVIF', 'resizeAVIF', 1, 0.1],
  ['Signing a manifest into a JPEG', 'rendering the JPEG', 'manifestJPEG', 'renderJPEG', 1, 0.2],
  ['Signing a manifest into a WebP', 'rendering the WebP', 'manifestWebP', 'renderWebP', 1, 0.2],
  ['Signing a manifest into an AVIF', 'rendering the AVIF', 'manifestAVIF', 'renderAVIF', 1, 0.2],
  ['Cropping 16:9 to 1080 × 1350', 'sharp alone', 'crop', 'cropCentre', 2],
];

/** Rows of the group `images`, in CPU time. */
export async function measureImages(): Promise<readonly Row[]> {
  const file = mainOf('tools/bench/programs/images.ts');
  const rows: Row[] = [];
  for (const [name, baseline, measured, least, perRound, ratioMax] of operations) {
    const sides = { measured: { file, name: measured }, least: { file, name: least } };
    const { samples } = await alternate({ ...sides, warmUp: 2, rounds: 12, perRound, budgetMs: 5_000 });
    const isFast = perRound === 100;
    const inUnit = (us: readonly number[]) => us.map((each) => (isFast ? each : each / 1_000));
    rows.push(
      rowOf({
        group: 'images',
        name,
        baseline,
        unit: isFast ? 'CPU µs' : 'CPU ms',
        measured: inUnit(samples.measured),
        least: inUnit(samples.least),
        ratioMax,
        doesMore: ratioMax === undefined,
      }),
    );
  }
  return rows;
}
