/** Turns points into path data. */
import { num } from './element';

/** A place in picture units, x to the right and y downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const at = ({ x, y }: Point): string => `${num(x)} ${num(y)}`;

/** Straight lines through all points. */
export function polyline(points: readonly Point[]): string {
  return points.length === 0 ? '' : `M${points.map(at).join('L')}`;
}

/** Straight lines through all points and back to the first. */
export function polygon(points: readonly Point[]): string {
  return points.length === 0 ? '' : `${polyline(points)}Z`;
}

/** A closed outline in relative steps: shorter than `polygon` for small shapes of many points. */
export function compactPolygon(points: readonly Point[]): string {
  let data = '';
  let x = 0;
  let y = 0;
  for (const point of points) {
    // Steps are taken between rounded places, so that rounding does not add up.
    const dx = Math.round((point.x - x) * 10) / 10;
    const dy = Math.round((point.y - y) * 10) / 10;
    x += dx;
    y += dy;
    const gap = dy < 0 ? '' : ' ';
    data +=
      data === ''
        ? `M${num(dx)} ${num(dy)}l`
        : `${data.endsWith('l') || dx < 0 ? '' : ' '}${num(dx)}${gap}${num(dy)}`;
  }
  return data === '' ? '' : `${data}z`;
}

/** The rest of a smooth line, from the first point (where the pen stands already) to the last. */
export function curveOn(points: readonly Point[]): string {
  let data = '';
  for (let index = 0; index < points.length - 1; index += 1) {
    const here = points[index];
    const there = points[index + 1];
    if (!here || !there) continue;
    const before = points[index - 1] ?? here;
    const after = points[index + 2] ?? there;
    // Catmull-Rom written as Bézier: each handle is a sixth of the chord between the neighbours.
    const first = { x: here.x + (there.x - before.x) / 6, y: here.y + (there.y - before.y) / 6 };
    const second = { x: there.x - (after.x - here.x) / 6, y: there.y - (after.y - here.y) / 6 };
    data += `C${at(first)} ${at(second)} ${at(there)}`;
  }
  return data;
}

/** A smooth open line through all points. */
export function curve(points: readonly Point[]): string {
  const first = points[0];
  return first ? `M${at(first)}${curveOn(points)}` : '';
}

/** A rectangle as path data, so that many can share one element. */
export function box(x: number, y: number, width: number, height: number): string {
  return `M${num(x)} ${num(y)}h${num(width)}v${num(height)}h${num(-width)}z`;
}

/** An ellipse as path data, so that many can share one element. */
export function ellipse(x: number, y: number, radiusX: number, radiusY = radiusX): string {
  const arc = `a${num(radiusX)} ${num(radiusY)} 0 1 0 `;
  return `M${num(x - radiusX)} ${num(y)}${arc}${num(2 * radiusX)} 0${arc}${num(-2 * radiusX)} 0z`;
}
