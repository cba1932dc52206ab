/** A cape that reaches into the picture from one side and falls to the water. */
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import { createNoise, layered } from '../random/noise';
import type { Stage } from '../stage';
import { landBelow } from './profile';

/** Where the cape lies; `side` 0 is left and 1 right, `reach` and `height` are shares of width and rise. */
export interface Headland {
  readonly label: string;
  readonly horizon: number;
  readonly side: 0 | 1;
  readonly reach: number;
  readonly height: number;
  readonly distance: number;
}

/** Draws the cape. */
export function drawHeadland(stage: Stage, cape: Headland): string {
  const { frame, look, mood } = stage;
  const random = stage.random.fork(cape.label);
  const noise = layered(createNoise(random), 4, 0.5);
  const length = cape.reach * Math.min(frame.width, 1.5 * frame.unit);
  const tall = cape.height * frame.rise;
  const profile = (x: number): number => {
    const inward = (cape.side === 0 ? x : frame.width - x) / length;
    const fall = Math.max(0, 1 - Math.max(0, inward) ** 2.2);
    const body = fall ** 0.6 * (0.82 + 0.4 * noise((x / length) * 4.2));
    return cape.horizon + 1 - tall * body;
  };
  const materials = materialsOf(mood.season);
  return look.land(stage, {
    ...landBelow(profile, frame, cape.horizon + 1, { smooth: false, count: 110 }),
    colour: mix(materials.rock, materials.pine, 0.45),
    distance: cape.distance,
    mist: 0.6,
  });
}
