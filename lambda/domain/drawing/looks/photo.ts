/** The photographic look: deep haze, glowing light, fine texture, a lens's vignette. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Land, Look, Stage } from '../stage';
import { element } from '../svg/element';
import { drawBokeh } from './bokeh';
import { grain } from './grain';

/** Soft patches of light and of cloud shadow: no real ground has one even colour. */
function dapples(stage: Stage, { path, top, bottom, distance }: Land): string {
  const { frame, light, canvas } = stage;
  const random = stage.random.fork(`dapples${distance}`);
  const tall = Math.max(1, bottom - top);
  const patches = Array.from({ length: 5 }, (_, index) => {
    const x = random.next() * frame.width;
    const y = top + tall * random.between(0.05, 0.6);
    const reach = frame.unit * random.between(0.16, 0.34);
    const bright = index % 2 === 0;
    const colour = bright ? light.glow : light.shade;
    const strength = (bright ? (light.night ? 0.08 : 0.3) : 0.2) * (1 - 0.55 * distance);
    const fill = canvas.radial(
      x,
      y,
      reach,
      [
        [0, colour, strength],
        [0.5, colour, strength * 0.5],
        [1, colour, 0],
      ],
      random.between(0.2, 0.4),
    );
    return element('rect', {
      x: x - reach,
      y: y - reach * 0.42,
      width: 2 * reach,
      height: reach * 0.84,
      fill,
    });
  });
  return element('g', { 'clip-path': canvas.clip(path) }, patches.join(''));
}

function land(stage: Stage, piece: Land): string {
  const { path, top, bottom, colour, distance, mist = 0.5 } = piece;
  const upper = lit(stage, mix(colour, stage.light.shade, 0.1 * (1 - distance)), distance);
  const foot = mix(upper, stage.light.haze, Math.min(0.95, mist * (0.3 + 0.85 * distance)));
  const fill = stage.canvas.linear(0, top, 0, bottom, [
    [0, mix(upper, stage.light.shade, 0.16)],
    [0.25, upper],
    [0.65, mix(upper, foot, 0.5)],
    [1, foot],
  ]);
  return element('path', { d: path, fill }) + dapples(stage, piece);
}

function finish(stage: Stage): string {
  const { width, height } = stage.frame;
  const radius = Math.hypot(width, height) / 2;
  const vignette = stage.canvas.radial(width / 2, height * 0.46, radius * 1.06, [
    [0.42, stage.light.shade, 0],
    [0.78, stage.light.shade, 0.2],
    [1, stage.light.shade, 0.62],
  ]);
  return drawBokeh(stage) + grain(stage, 0.75) + element('rect', { width, height, fill: vignette });
}

/** The look of `style=photo`. */
export const photoLook: Look = { name: 'photo', detail: 1, air: 1.15, land, edge: () => ({}), finish };
