/** Image operations, compared with the same operation on the bare library. */

import { type Row, rowOf } from '../row';
import { alternate } from './alternate';
import { buildOf, mainOf } from './built';

export async function measureImages(): Promise<readonly Row[]> {
  const file = mainOf(buildOf('bench/programs/images.ts'));
  const compare = async (measured: string, least: string, perRound: number): Promise<TurnsSamples> => {
    const sides = { measured: { file, name: measured }, least: { file, name: least } };
    return (await alternate({ ...sides, warmUp: 2, rounds: 12, perRound, budgetMs: 5_000 })).samples;
  };
  const inMs = ({ measured, least }: TurnsSamples): TurnsSamples => ({
    measured: measured.map((us) => us / 1_000),
    least: least.map((us) => us / 1_000),
  });
  const group = 'images';
  const signing = await compare('signByService', 'signByNode', 100);
  const drawing = inMs(await compare('draw', 'resize', 1));
  const rendering = inMs(await compare('render', 'resize', 2));
  const cropping = inMs(await compare('crop', 'cropCentre', 2));
  // The baselines lack what makes each result fit for a browser: one signature for an hour, a drawing, mozjpeg.
  const doesMore = true;
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
    rowOf({
      group,
      name: 'Rendering 1920 × 1080',
      baseline: 'sharp alone',
      unit: 'CPU ms',
      ...rendering,
      doesMore,
    }),
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
