/** Image operations, compared with the same operation on the bare library. */

import { type Row, rowOf } from '../row';
import { alternate } from './alternate';
import { buildOf, mainOf } from './built';

/** The highest ratio of each format; absent for JPEG, whose baseline is not mozjpeg. */
const formats = [
  ['JPEG', undefined],
  ['WebP', 1.25],
  ['AVIF', 0.1],
] as const;

export async function measureImages(): Promise<readonly Row[]> {
  const file = mainOf(buildOf('tools/bench/programs/images.ts'));
  const compare = async (measured: string, least: string, perRound: number): Promise<TurnsSamples> => {
    const sides = { measured: { file, name: measured }, least: { file, name: least } };
    return (await alternate({ ...sides, warmUp: 2, rounds: 12, perRound, budgetMs: 5_000 })).samples;
  };
  const inMs = ({ measured, least }: TurnsSamples): TurnsSamples => ({
    measured: measured.map((us) => us / 1_000),
    least: least.map((us) => us / 1_000),
  });
  const group = 'images';
  // These baselines lack what makes a result fit for a browser: one signature for an hour, a drawing, mozjpeg.
  const doesMore = true;
  const signing = await compare('signByService', 'signByNode', 100);
  const drawing = inMs(await compare('draw', 'resizeJPEG', 1));
  const renderings: Row[] = [];
  for (const [format, ratioMax] of formats)
    renderings.push(
      rowOf({
        group,
        name: `Rendering 1920 × 1080 as ${format}`,
        baseline: 'sharp alone',
        unit: 'CPU ms',
        ...inMs(await compare(`render${format}`, `resize${format}`, 1)),
        ...(ratioMax === undefined ? { doesMore } : { ratioMax }),
      }),
    );
  const cropping = inMs(await compare('crop', 'cropCentre', 2));
  return [
    rowOf({
      group,
      name: 'Signing a private URL',
      baseline: "Node's own signature",
      unit: 'CPU µs',
      ...signing,
      doesMore,
    }),
    rowOf({
      group,
      name: 'Drawing 1920 × 1080',
      baseline: 'sharp alone',
      unit: 'CPU ms',
      ...drawing,
      doesMore,
    }),
    ...renderings,
    rowOf({
      group,
      name: 'Cropping 16:9 to 1080 × 1350',
      baseline: 'sharp alone',
      unit: 'CPU ms',
      ...cropping,
      doesMore,
    }),
  ];
}

interface TurnsSamples {
  readonly measured: readonly number[];
  readonly least: readonly number[];
}
