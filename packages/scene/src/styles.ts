/** How each style draws land and outlines, and what it lays over the whole scene. */
import { adjust, mix } from './colour';
import { along, cover } from './frame';
import type { Random } from './random';
import { type Land, lit, type Stage } from './stage';
import { fade, line, path, repeat, shape } from './svg';

type Mark = (x: number, y: number, size: number, random: Random) => string;

const MARKS: readonly [Mark, ...Mark[]] = [
  (x, y, size, random) => path`M${x} ${y}h${size * random.between(0.4, 1.1)}`,
  (x, y) => path`M${x} ${y}h0`,
  (x, y, size) => path`M${x} ${y}q${size * 0.3} ${-size * 0.4} ${size * 0.6} 0t${size * 0.6} 0`,
  (x, y, size) => path`M${x} ${y}l${size * 0.2} ${-size * 0.5}l${size * 0.2} ${size * 0.5}`,
];

/**
 * Dashes, dots, waves or tufts, cut to the land's outline; nearer land has larger and fewer ones. They are drawn one
 * by one, as a repeated pattern would take ten times as long to render.
 */
function drawMarks(stage: Stage, { path: outline, top, bottom, distance }: Land, colour: string): string {
  const { frame, defs } = stage;
  const random = stage.random.fork(`marks${distance}`);
  const mark = random.pick(MARKS);
  const size = frame.unit * (0.03 - 0.017 * distance);
  // What lies deeper than this is hidden behind the next piece of land.
  const deep = Math.min(bottom - top, 0.34 * frame.unit);
  const rows = Math.min(14, Math.max(2, Math.round(deep / (size * 1.9))));
  const spacing = Math.max(size * 5, frame.unit * 0.065 * frame.breadth ** 0.85);
  const data = repeat(rows, (row) => {
    const y = top + ((row + 0.5) / rows) * deep;
    const marks = along(frame, random.fork(row), spacing, 0.22).map(({ x, random: own }) => {
      if (own.chance(0.3)) return '';
      return mark(x + (row % 2) * 0.5 * spacing, y + own.between(-0.3, 0.3) * size, size, own);
    });
    return marks.join('');
  });
  return line(data, colour, size * 0.13, { 'clip-path': defs.clip(outline) });
}

function illustratedLand(stage: Stage, land: Land): string {
  const { path: outline, crest, colour, distance } = land;
  const flat = lit(stage, colour, distance);
  const ink = { 'stroke-opacity': 1 - 0.35 * distance, 'stroke-linejoin': 'round' };
  return (
    shape(outline, flat) +
    drawMarks(stage, land, adjust(flat, distance > 0.6 ? 1.07 : 0.88, 1.05)) +
    line(
      crest,
      mix(stage.light.shade, '#000000', 0.15),
      0.0042 * stage.frame.unit * (1.15 - 0.5 * distance),
      ink,
    )
  );
}

/** A gradient from the land's own colour into the mist at its foot. */
function mistyLand(stage: Stage, { path, crest, top, bottom, colour, distance, mist = 0.5 }: Land): string {
  const { light, style, defs, frame } = stage;
  const own = lit(stage, colour, distance);
  const dark = style.name === 'dark';
  const upper = dark ? mix(mix(own, light.haze, 0.2), light.shade, 0.35) : own;
  const foot = mix(upper, light.haze, Math.min(0.9, mist * (0.25 + 0.7 * distance + (dark ? 0.25 : 0))));
  const land = shape(path, defs.vertical(top, bottom, upper, [0.3, mix(upper, foot, 0.25)], foot));
  if (!dark) return land;
  // A faint rim of light sets off each layer from what stands behind it.
  const glow = { 'stroke-opacity': 0.3 + 0.4 * distance, 'stroke-linejoin': 'round' };
  return land + line(crest, light.glow, 0.0022 * frame.unit * (1.4 - distance * 0.7), glow);
}

/** Darkens the corners; stops say how dark it is at shares of the way from the middle. */
function vignette({ frame, light, defs }: Stage, ...stops: [number, number][]): string {
  const radius = Math.hypot(frame.width, frame.height) / 2;
  return cover(frame, defs.radial(frame.centre, frame.height * 0.48, radius, fade(light.shade, ...stops)));
}

/** Draws a piece of land as its style shows it. */
export const drawLand = (stage: Stage, land: Land): string =>
  stage.style.name === 'illustration' ? illustratedLand(stage, land) : mistyLand(stage, land);

/** What a style lays over the finished scene. */
export function drawFinish(stage: Stage): string {
  if (stage.style.name === 'dark') return vignette(stage, [0.5, 0], [1, 0.55]);
  return stage.style.name === 'photo' ? vignette(stage, [0.42, 0], [0.78, 0.2], [1, 0.6]) : '';
}
