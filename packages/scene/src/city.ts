/** A city: towers behind towers, a river in front of them, windows lit when the light is low. */
import { backdropOf, drawBackdrop } from './backdrop';
import { drawBloom, drawSky, placeSun } from './sky';
import { drawTowers } from './skyline';
import type { Stage } from './stage';
import { group } from './svg';
import { drawWater } from './water';
import { drawMist } from './weather';

/** Draws the motif. */
export function drawCity(stage: Stage): string {
  const { frame, style, light } = stage;
  const horizon = frame.height * stage.random.fork('city').between(0.72, 0.79);
  const sun = { ...placeSun(stage, horizon * 0.86), horizon };
  const tall = Math.min(frame.height * 0.62, frame.rise * 1.75);
  const lamps = (light.night ? 0.62 : 0.5) * style.detail;
  const row = (label: string, height: number, breadth: number, distance: number, windows: number): string => {
    const size = { height: tall * height, breadth: frame.unit * breadth, windows: windows * lamps };
    return drawTowers(stage, { label, base: horizon, distance, ...size }, sun);
  };
  const rows =
    row('third', 1, 0.062, 0.8, 0) +
    drawMist(stage, horizon, tall * 0.4, 0.4) +
    row('second', 0.78, 0.078, 0.5, 0.6) +
    drawMist(stage, horizon, tall * 0.26, 0.4) +
    row('first', 0.5, 0.1, 0.14, 1);
  return (
    drawSky(stage, sun) +
    drawBackdrop(stage, backdropOf(stage, ['mountains'], undefined), horizon, sun, 0.9) +
    group({ id: 'far' }, rows) +
    drawWater(stage, { top: horizon, sun, waves: 0.35, mirrored: 'far' }) +
    drawBloom(stage, sun)
  );
}
