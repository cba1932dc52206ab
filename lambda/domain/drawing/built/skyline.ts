/** A city seen from afar: rows of towers, lit windows when the light is low. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Random } from '../random/random';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { box } from '../svg/path';

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

interface Wall {
  readonly x: number;
  readonly top: number;
  readonly width: number;
  readonly base: number;
}

function roof(random: Random, x: number, top: number, width: number): string {
  const middle = x + width / 2;
  const kind = random.next();
  if (kind < 0.16) {
    // Set-backs and a mast.
    const step = width * 0.16;
    const mast = width * random.between(0.5, 1);
    return (
      box(x + step, top - step * 1.1, width - 2 * step, step * 1.2) +
      box(x + 2 * step, top - step * 2.1, width - 4 * step, step * 1.2) +
      box(middle - width * 0.018, top - step * 2 - mast, width * 0.036, mast)
    );
  }
  if (kind < 0.28)
    return `M${num(x)} ${num(top + 0.5)}L${num(x + width)} ${num(top + 0.5)}V${num(top - width * 0.4)}Z`;
  if (kind < 0.38) {
    return `M${num(x)} ${num(top + 0.5)}L${num(middle)} ${num(top - width * random.between(0.5, 1))}L${num(x + width)} ${num(top + 0.5)}Z`;
  }
  if (kind < 0.46)
    return `M${num(x)} ${num(top + 0.5)}a${num(width / 2)} ${num(width * 0.42)} 0 0 1 ${num(width)} 0z`;
  if (kind < 0.72)
    return box(x + width * random.between(0.12, 0.5), top - width * 0.13, width * 0.32, width * 0.14);
  return '';
}

/** Windows as upright dashes: a stroke says in half the bytes what a rectangle would. */
function panes(random: Random, wall: Wall, size: number, part: number): string {
  const columns = Math.max(2, Math.round(wall.width / (size * 2.5)));
  const gap = wall.width / columns;
  const rows = Math.min(24, Math.floor((wall.base - wall.top) / (size * 2.9)));
  let data = '';
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (random.next() > part) continue;
      const y = wall.top + size * (1.6 + row * 2.9);
      data += `M${num(wall.x + gap * (column + 0.5))} ${num(y)}v${num(size * 1.5)}`;
    }
  }
  return data;
}

/** Draws a row: buildings, their shaded sides, their windows. */
export function drawTowers(stage: Stage, row: TowerRow): string {
  const { frame, light, look, canvas } = stage;
  const reach = Math.min(60, Math.ceil(frame.width / 2 / row.breadth) + 1);
  const pane = Math.max(row.breadth * 0.07, 2.2);
  let walls = '';
  let sides = '';
  let windows = '';
  for (let place = -reach; place <= reach; place += 1) {
    const random = stage.random.fork(`${row.label}${place}`);
    const width = row.breadth * random.between(0.62, 1.22);
    const x = frame.centre + place * row.breadth + random.between(-0.12, 0.12) * row.breadth;
    // The skyline swells towards the middle, as business districts do.
    const swell = 0.5 + 0.5 * Math.exp(-(((x - frame.centre) / (0.42 * frame.unit)) ** 2));
    const height = row.height * swell * random.between(0.38, 1);
    const top = row.base - height;
    walls += box(x, top, width, height + 2) + roof(random, x, top, width);
    sides += box(x + width * 0.64, top, width * 0.36, height + 2);
    if (row.windows > 0) {
      const part = row.windows * random.between(0.3, 1);
      windows += panes(random.fork('panes'), { x, top, width, base: row.base }, pane, part);
    }
  }
  const colour = lit(stage, light.night ? '#3b4a66' : '#7d8aa3', row.distance);
  const fill =
    look.name === 'illustration'
      ? colour
      : canvas.linear(0, row.base - row.height, 0, row.base, [
          [0, mix(colour, light.shade, light.night ? 0.25 : 0.08)],
          [1, mix(colour, light.haze, 0.5)],
        ]);
  const glass = light.night || stage.time === 'sunset' ? light.accent : mix(light.sky[3], '#ffffff', 0.4);
  return (
    element('path', { d: walls, fill, ...look.edge(stage, 0.6) }) +
    element('path', { d: sides, fill: light.shade, 'fill-opacity': 0.16 }) +
    (windows === ''
      ? ''
      : element('path', {
          d: windows,
          fill: 'none',
          stroke: glass,
          'stroke-width': pane,
          'stroke-opacity': (light.night ? 0.85 : 0.42) * (1 - 0.5 * row.distance),
        }))
  );
}

/** A small far skyline for the end of another motif. */
export function drawSkyline(stage: Stage, base: number, scale: number): string {
  const { unit, rise } = stage.frame;
  const { detail } = stage.look;
  return (
    drawTowers(stage, {
      label: 'sky-far',
      base,
      height: rise * 0.72 * scale,
      breadth: unit * 0.035,
      distance: 0.78,
      windows: 0,
    }) +
    drawTowers(stage, {
      label: 'sky-near',
      base,
      height: rise * 0.62 * scale,
      breadth: unit * 0.05,
      distance: 0.5,
      windows: 0.42 * detail,
    })
  );
}
