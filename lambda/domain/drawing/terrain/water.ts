/** Still or moving water: the sky's colours in it, a mirrored shore, the light's path, ripples. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { box } from '../svg/path';

/** A sheet of water from its far edge down to its near one. */
export interface Sheet {
  readonly top: number;
  readonly bottom: number;
  readonly sunX: number;
  /** How rough it is: 0 a mirror, 1 the open sea. */
  readonly waves: number;
  /** The id of the group that stands on the far edge and is mirrored. */
  readonly mirrored?: string;
}

function ripples(stage: Stage, { top, bottom, waves }: Sheet): string {
  const { frame, light, look } = stage;
  const random = stage.random.fork('ripples');
  const bands = [
    { colour: mix(light.sky[3], '#ffffff', 0.35), opacity: 0.28 },
    { colour: mix(light.shade, light.tint, 0.4), opacity: 0.16 },
  ];
  return bands
    .map(({ colour, opacity }) => {
      const count = Math.round((34 + 46 * waves) * (0.35 + 0.65 * look.detail));
      let data = '';
      for (let index = 0; index < count; index += 1) {
        const t = random.next() ** 1.5;
        const y = top + (bottom - top) * (0.015 + 0.97 * t);
        const length = frame.unit * (0.014 + 0.15 * t) * random.between(0.4, 1.2);
        const thick = frame.unit * (0.0008 + 0.0042 * t) * (0.6 + 0.6 * waves);
        const x = random.between(-0.05, 1) * frame.width;
        data += `M${num(x)} ${num(y)}q${num(length / 2)} ${num(-thick)} ${num(length)} 0q${num(-length / 2)} ${num(thick)} ${num(-length)} 0z`;
      }
      return element('path', { d: data, fill: colour, 'fill-opacity': opacity * (0.7 + 0.6 * waves) });
    })
    .join('');
}

function glitter(stage: Stage, { top, bottom, sunX, waves }: Sheet): string {
  const { frame, light, look, mood } = stage;
  if (mood.weather === 'rain' || mood.weather === 'fog') return '';
  const random = stage.random.fork('glitter');
  const rows = Math.round(26 + 14 * look.detail);
  let data = '';
  for (let row = 0; row < rows; row += 1) {
    const t = (row / rows) ** 1.35;
    const y = top + (bottom - top) * (0.01 + 0.94 * t);
    const spread = frame.unit * (0.03 + 0.11 * t * (0.6 + waves));
    const pieces = 1 + (row % 3 === 0 ? 1 : 0);
    for (let piece = 0; piece < pieces; piece += 1) {
      const length = spread * random.between(0.35, 1.1) * (1 - 0.45 * t);
      const x = sunX + random.between(-0.55, 0.55) * spread - length / 2;
      const thick = frame.unit * (0.0018 + 0.007 * t);
      data += `M${num(x)} ${num(y)}q${num(length / 2)} ${num(-thick)} ${num(length)} 0q${num(-length / 2)} ${num(thick)} ${num(-length)} 0z`;
    }
  }
  const strong = stage.time === 'day' ? 0.5 : 0.8;
  const fill = stage.canvas.linear(0, top, 0, bottom, [
    [0, light.sun, strong],
    [0.5, mix(light.sun, light.glow, 0.6), strong * 0.75],
    [1, light.glow, strong * 0.12],
  ]);
  return element('path', { d: data, fill });
}

/** Draws the water. */
export function drawWater(stage: Stage, sheet: Sheet): string {
  const { frame, light, canvas, look } = stage;
  const { top, bottom, mirrored, waves } = sheet;
  const own = materialsOf(stage.mood.season).water;
  const ink = look.name === 'illustration';
  // Water shows the sky upside down: the horizon's colour far off, the zenith's at the viewer's feet.
  const near = mix(lit(stage, own, 0), light.sky[0], ink ? 0.2 : 0.55);
  const far = mix(near, light.sky[3], (ink ? 0.4 : 0.74) - 0.1 * waves);
  const middle = mix(near, light.sky[2], ink ? 0.2 : 0.5);
  const base = canvas.linear(0, top, 0, bottom, [
    [0, far],
    [0.3, mix(far, middle, 0.7)],
    [1, near],
  ]);
  const area = box(0, top, frame.width, bottom - top);
  const reflection = mirrored
    ? element(
        'g',
        { 'clip-path': canvas.clip(area), opacity: look.name === 'illustration' ? 0.5 : 0.62 },
        element('use', { href: `#${mirrored}`, transform: `translate(0 ${num(2 * top)}) scale(1 -1)` }),
      )
    : '';
  const depth = canvas.linear(0, top, 0, bottom, [
    [0, far, 0.12],
    [0.5, middle, mirrored ? 0.35 : 0],
    [1, near, mirrored ? 0.9 : 0],
  ]);
  return (
    element('path', { d: area, fill: base }) +
    reflection +
    element('path', { d: area, fill: depth }) +
    glitter(stage, sheet) +
    ripples(stage, sheet)
  );
}
