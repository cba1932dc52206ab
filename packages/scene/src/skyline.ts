/** City towers: rows of buildings, lit windows when the light is low. */
import { mix } from './colour';
import { along } from './frame';
import type { Random } from './random';
import { showsMoon } from './sky';
import { lit, type Stage, type Sun } from './stage';
import { box, line, path, repeat, shape } from './svg';

/**
 * One row of buildings that stand on `base`: the height of the tallest, the mean breadth, the share of windows that
 * are drawn, 0 to 1.
 */
type TowerRow = Readonly<Record<'base' | 'height' | 'breadth' | 'distance' | 'windows', number>> & {
  readonly label: string;
};

type Wall = Record<'x' | 'top' | 'width' | 'base', number>;

function roof(random: Random, { x, top, width }: Wall): string {
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
  if (kind > 0.72) return '';
  return box(x + width * random.between(0.12, 0.5), top - width * 0.13, width * 0.32, width * 0.14);
}

/** Roofs rise above their walls by this many widths at most. */
const ROOF_WIDTHS = 1.4;

/** Windows as upright dashes: a stroke says in half the bytes what a rectangle would. */
function panes(random: Random, { x, top, width, base }: Wall, size: number, share: number): string {
  const columns = Math.max(2, Math.round(width / (size * 2.5)));
  const rows = Math.min(24, Math.floor((base - top) / (size * 2.9)));
  return repeat(rows * columns, (index) => {
    if (random.next() > share) return '';
    const [row, column] = [Math.floor(index / columns), index % columns];
    const left = x + (width / columns) * (column + 0.5);
    return path`M${left} ${top + size * (1.6 + row * 2.9)}v${size * 1.5}`;
  });
}

/** Draws a row: buildings, their shaded sides, their windows. No building reaches up to the moon. */
export function drawTowers(stage: Stage, row: TowerRow, sun: Sun): string {
  const { frame, light, style, defs, time } = stage;
  const { base, breadth, distance } = row;
  const pane = Math.max(breadth * 0.07, 2.2);
  // In a panorama windows are rarer, so that the size of the SVG stays bounded.
  const share = row.windows / Math.max(1, frame.breadth / 2);
  let [walls, sides, windows] = ['', '', ''];
  for (const { x, random } of along(frame, stage.random.fork(row.label), breadth, 0.12)) {
    const width = breadth * random.between(0.62, 1.22);
    // The skyline swells towards the middle, as business districts do.
    const swell = 0.5 + 0.5 * Math.exp(-(((x - frame.centre) / (0.42 * frame.unit)) ** 2));
    const wanted = row.height * swell * random.between(0.38, 1);
    const underMoon = showsMoon(stage) && Math.abs(x + width / 2 - sun.x) < width / 2 + 1.6 * sun.radius;
    const room = base - sun.y - 1.5 * sun.radius - ROOF_WIDTHS * width;
    const height = underMoon ? Math.max(0.2 * row.height, Math.min(wanted, room)) : wanted;
    const wall = { x, top: base - height, width, base };
    walls += box(x, wall.top, width, height + 2) + roof(random, wall);
    sides += box(x + width * 0.64, wall.top, width * 0.36, height + 2);
    if (share > 0) windows += panes(random.fork('panes'), wall, pane, share * random.between(0.3, 1));
  }
  const colour = lit(stage, light.night ? '#3b4a66' : '#7d8aa3', distance);
  const upper = mix(colour, light.shade, light.night ? 0.25 : 0.08);
  const air = defs.vertical(base - row.height, base, upper, mix(colour, light.haze, 0.5));
  const glass = light.night || time === 'sunset' ? light.accent : mix(light.sky[3], '#ffffff', 0.4);
  return (
    shape(walls, style.name === 'illustration' ? colour : air, style.edge(stage, 0.6)) +
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
  const windows = 0.42 * stage.style.detail;
  const near = { height: rise * 0.62 * scale, breadth: unit * 0.05, distance: 0.5, windows };
  return (
    drawTowers(stage, { label: 'sky-far', base, ...far }, sun) +
    drawTowers(stage, { label: 'sky-near', base, ...near }, sun)
  );
}
