/** City towers: rows of buildings, lit windows when the light is low. */
import { mix } from './colour';
import { along } from './frame';
import type { Random } from './random';
import { box } from './shapes';
import { showsMoon } from './sky';
import { lit, type Stage, type Sun } from './stage';
import { line, path, shape } from './svg';

/** One row of buildings that stand on `base`. */
export interface TowerRow {
  readonly label: string;
  readonly base: number;
  /** Height of the tallest. */
  readonly height: number;
  /** Mean width of a building. */
  readonly breadth: number;
  readonly distance: number;
  /** Share of windows that are drawn, 0 to 1. */
  readonly windows: number;
}

function roof(random: Random, x: number, top: number, width: number): string {
  const middle = x + width / 2;
  const kind = random.next();
  if (kind < 0.16) {
    const step = width * 0.16;
    const mast = width * random.between(0.5, 1);
    return (
      box(x + step, top - step * 1.1, width - 2 * step, step * 1.2) +
      box(x + 2 * step, top - step * 2.1, width - 4 * step, step * 1.2) +
      box(middle - width * 0.018, top - step * 2 - mast, width * 0.036, mast)
    );
  }
  const eaves = path`M${x} ${top + 0.5}`;
  if (kind < 0.28) return path`${eaves}h${width}V${top - width * 0.4}Z`;
  if (kind < 0.38)
    return path`${eaves}L${middle} ${top - width * random.between(0.5, 1)}L${x + width} ${top + 0.5}Z`;
  if (kind < 0.46) return path`${eaves}a${width / 2} ${width * 0.42} 0 0 1 ${width} 0z`;
  return kind < 0.72
    ? box(x + width * random.between(0.12, 0.5), top - width * 0.13, width * 0.32, width * 0.14)
    : '';
}

/** Roofs rise above their walls by this many widths at most. */
const ROOF_WIDTHS = 1.4;

/** Windows as upright dashes: a stroke says in half the bytes what a rectangle would. */
function panes(
  random: Random,
  wall: { x: number; top: number; width: number; base: number },
  size: number,
  share: number,
) {
  const columns = Math.max(2, Math.round(wall.width / (size * 2.5)));
  const gap = wall.width / columns;
  const rows = Math.min(24, Math.floor((wall.base - wall.top) / (size * 2.9)));
  let data = '';
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (random.next() > share) continue;
      data += path`M${wall.x + gap * (column + 0.5)} ${wall.top + size * (1.6 + row * 2.9)}v${size * 1.5}`;
    }
  }
  return data;
}

/** Draws a row: buildings, their shaded sides, their windows. No building reaches up to the moon. */
export function drawTowers(stage: Stage, row: TowerRow, sun: Sun): string {
  const { frame, light, style, defs, time } = stage;
  const { base, breadth, distance } = row;
  const pane = Math.max(breadth * 0.07, 2.2);
  // In a panorama windows are rarer, so that the size of the SVG stays bounded.
  const share = row.windows / Math.max(1, frame.breadth / 2);
  let walls = '';
  let sides = '';
  let windows = '';
  for (const { x, random } of along(frame, stage.random.fork(row.label), breadth, { jitter: 0.12 })) {
    const width = breadth * random.between(0.62, 1.22);
    // The skyline swells towards the middle, as business districts do.
    const swell = 0.5 + 0.5 * Math.exp(-(((x - frame.centre) / (0.42 * frame.unit)) ** 2));
    const wanted = row.height * swell * random.between(0.38, 1);
    const underMoon = showsMoon(stage) && Math.abs(x + width / 2 - sun.x) < width / 2 + 1.6 * sun.radius;
    const room = base - sun.y - 1.5 * sun.radius - ROOF_WIDTHS * width;
    const height = underMoon ? Math.max(0.2 * row.height, Math.min(wanted, room)) : wanted;
    const top = base - height;
    walls += box(x, top, width, height + 2) + roof(random, x, top, width);
    sides += box(x + width * 0.64, top, width * 0.36, height + 2);
    if (share > 0)
      windows += panes(random.fork('panes'), { x, top, width, base }, pane, share * random.between(0.3, 1));
  }
  const colour = lit(stage, light.night ? '#3b4a66' : '#7d8aa3', distance);
  const fill =
    style.name === 'illustration'
      ? colour
      : defs.vertical(base - row.height, base, [
          [0, mix(colour, light.shade, light.night ? 0.25 : 0.08)],
          [1, mix(colour, light.haze, 0.5)],
        ]);
  const glass = light.night || time === 'sunset' ? light.accent : mix(light.sky[3], '#ffffff', 0.4);
  return (
    shape(walls, fill, style.edge(stage, 0.6)) +
    shape(sides, light.shade, { 'fill-opacity': 0.16 }) +
    line(windows, glass, pane, {
      'stroke-linecap': undefined,
      'stroke-opacity': (light.night ? 0.85 : 0.42) * (1 - 0.5 * distance),
    })
  );
}

/** A small far skyline for the end of another motif. */
export function drawSkyline(stage: Stage, base: number, sun: Sun, scale: number): string {
  const { unit, rise } = stage.frame;
  const far = { height: rise * 0.72 * scale, breadth: unit * 0.035, distance: 0.78, windows: 0 };
  const near = {
    height: rise * 0.62 * scale,
    breadth: unit * 0.05,
    distance: 0.5,
    windows: 0.42 * stage.style.detail,
  };
  return (
    drawTowers(stage, { label: 'sky-far', base, ...far }, sun) +
    drawTowers(stage, { label: 'sky-near', base, ...near }, sun)
  );
}
