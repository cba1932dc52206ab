/** The two ranges that stand at the horizon of any picture with mountains. */
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import { drawMist } from '../sky/weather';
import type { Stage } from '../stage';
import { drawRange } from './peaks';

/** The ranges alone, for any picture with mountains at its horizon. */
export function drawRanges(stage: Stage, horizon: number, sunX: number, scale = 1): string {
  const { frame } = stage;
  const materials = materialsOf(stage.mood.season);
  const random = stage.random.fork('ranges');
  const snow = stage.mood.season === 'winter' ? 1 : random.between(0.25, 0.7);
  const rise = frame.rise * scale;
  const spacing = frame.unit * random.between(0.3, 0.42) * Math.sqrt(scale);
  const blue = mix(materials.rock, stage.light.sky[0], 0.3);
  return (
    drawRange(
      stage,
      {
        label: 'far',
        base: horizon,
        height: rise * 0.82,
        spacing: spacing * 0.72,
        distance: 0.86,
        colour: blue,
        snow: snow * 0.7,
      },
      sunX,
    ) +
    drawMist(stage, horizon - rise * 0.08, rise * 0.3, 0.5) +
    drawRange(
      stage,
      {
        label: 'high',
        base: horizon,
        height: rise * random.between(1, 1.14),
        spacing,
        distance: 0.5,
        colour: materials.rock,
        snow,
      },
      sunX,
    ) +
    drawMist(stage, horizon, rise * 0.28, 0.6)
  );
}
