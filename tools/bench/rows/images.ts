/** Image operations, compared with the same operation on the bare library. */

import { mainOf } from '../builds';
import { alternate } from '../processes';
import { type Row, rowOf } from '../row';

/** Name, baseline, the exports of both, and the highest ratio. */
const operations = [
  ['Rendering 1920 × 1080 as WebP', 'sharp alone', 'renderWebP', 'resizeWebP', 1.25],
  ['Rendering 1920 × 1080 as AVIF', 'sharp alone', 'renderAVIF', 'resizeAVIF', 0.1],
  ['Signing a manifest into a JPEG', 'rendering the JPEG', 'manifestJPEG', 'renderJPEG', 0.2],
  ['Signing a manifest into a WebP', 'rendering the WebP', 'manifestWebP', 'renderWebP', 0.2],
  ['Signing a manifest into an AVIF', 'rendering the AVIF', 'manifestAVIF', 'renderAVIF', 0.2],
] as const;

/** Rows of the group `images`, in CPU time. */
export async function measureImages(): Promise<readonly Row[]> {
  const file = mainOf('tools/bench/programs/images.ts');
  const rows: Row[] = [];
  for (const [name, baseline, measured, least, ratioMax] of operations) {
    const sides = { measured: { file, name: measured }, least: { file, name: least } };
    const { samples } = await alternate({ ...sides, warmUp: 2, rounds: 12, perRound: 1, budgetMs: 5_000 });
    const inMs = (us: readonly number[]) => us.map((each) => each / 1_000);
    rows.push(
      rowOf({
        group: 'images',
        name,
        baseline,
        unit: 'CPU ms',
        measured: inMs(samples.measured),
        least: inMs(samples.least),
        ratioMax,
      }),
    );
  }
  return rows;
}
