/** Turns points into path data. */
import { num, path } from './svg';

/** A point in scene units, x to the right and y downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const at = ({ x, y }: Point): string => path`${x} ${y}`;

/** Straight lines through all points. */
export const polyline = (points: readonly Point[]): string => `M${points.map(at).join('L')}`;

/** Straight lines through all points and back to the first. */
export const polygon = (points: readonly Point[]): string => `${polyline(points)}Z`;

/** A closed outline in relative steps: shorter than `polygon` for small shapes of many points. */
export function compactPolygon(points: readonly Point[]): string {
  let data = '';
  let x = 0;
  let y = 0;
  for (const point of points) {
    // Steps are taken between rounded points, so that rounding does not add up.
    const dx = Math.round((point.x - x) * 10) / 10;
    const dy = Math.round((point.y - y) * 10) / 10;
    x += dx;
    y += dy;
    const step = `${num(dx)}${dy < 0 ? '' : ' '}${num(dy)}`;
    if (data === '') data = `M${step}l`;
    else data += data.endsWith('l') || dx < 0 ? step : ` ${step}`;
  }
  return `${data}z`;
}

/** A smooth line through all points, without the command that moves to the first. */
function smooth(points: readonly Point[]): string {
  const parts = points.map((there, index) => {
    const here = points[index - 1];
    if (!here) return at(there);
    const [before, after] = [points[index - 2] ?? here, points[index + 1] ?? there];
    // Catmull-Rom written as Bézier: each handle is a sixth of the chord between the neighbours.
    const leave = { x: here.x + (there.x - before.x) / 6, y: here.y + (there.y - before.y) / 6 };
    const arrive = { x: there.x - (after.x - here.x) / 6, y: there.y - (after.y - here.y) / 6 };
    return `C${at(leave)} ${at(arrive)} ${at(there)}`;
  });
  return parts.join('');
}

/** A smooth open line through all points. */
export const curve = (points: readonly Point[]): string => `M${smooth(points)}`;

/** A closed outline: smooth along each of the lines, straight from one to the next and back. */
export const outline = (...lines: readonly (readonly Point[])[]): string =>
  `M${lines.map(smooth).join('L')}Z`;

/** A rectangle as path data, so that many can share one element. */
export const box = (x: number, y: number, width: number, height: number): string =>
  path`M${x} ${y}h${width}v${height}h${-width}z`;

/** An ellipse as path data, so that many can share one element. */
export const ellipse = (x: number, y: number, radiusX: number, radiusY = radiusX): string =>
  path`M${x - radiusX} ${y}a${radiusX} ${radiusY} 0 1 0 ${2 * radiusX} 0a${radiusX} ${radiusY} 0 1 0 ${-2 * radiusX} 0z`;

/** A thin lens-shaped sliver from a point to the right: light on water, a ledge. */
export const sliver = (x: number, y: number, length: number, thickness: number): string =>
  path`M${x} ${y}q${length / 2} ${-thickness} ${length} 0q${-length / 2} ${thickness} ${-length} 0z`;
