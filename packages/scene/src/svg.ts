/** Writes SVG: numbers, path data, elements, and the gradients and clips they refer to. */

/** A value as SVG text: a number with three decimals below 10, as in shares, and else with one. */
function textOf(value: string | number): string {
  if (typeof value === 'string') return value;
  const unit = Math.abs(value) < 10 ? 1_000 : 10;
  return String(Math.round(value * unit) / unit);
}

/** Path data or a transform as a template whose numbers are rounded; text goes in as it is. */
export const path = (texts: TemplateStringsArray, ...values: readonly (number | string)[]): string =>
  texts.map((text, at) => textOf(values[at - 1] ?? '') + text).join('');

/** Attributes by name; undefined leaves one out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element; `children` is markup already. */
export function tag(name: string, attributes: Attributes, children = ''): string {
  let open = name;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) open += ` ${key}="${textOf(value)}"`;
  }
  return children === '' ? `<${open}/>` : `<${open}>${children}</${name}>`;
}

/** The markup or path data of the numbers from 0 to below `count`, joined. */
export const repeat = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** A filled path; nothing when it has no data. */
export const shape = (d: string, fill: string, attributes: Attributes = {}): string =>
  d === '' ? '' : tag('path', { d, fill, ...attributes });

/** A stroked path with round ends; a stroke of no length is a dot. */
export const line = (d: string, stroke: string, width: number, attributes: Attributes = {}): string =>
  shape(d, 'none', { stroke, 'stroke-width': width, 'stroke-linecap': 'round', ...attributes });

/** A circle with its middle and radius in the coordinates around it. */
export const circle = (cx: number, cy: number, r: number, fill: string, attrs: Attributes = {}): string =>
  tag('circle', { cx, cy, r, fill, ...attrs });

/** One gradient stop: where (0 to 1), which colour, how opaque. A colour alone stands at its even share. */
export type Stop = string | readonly [offset: number, colour: string, opacity?: number];

/** The stops of one colour at several opacities. */
export const fade = (colour: string, ...stops: readonly (readonly [number, number])[]): Stop[] =>
  stops.map(([offset, opacity]) => [offset, colour, opacity]);

/** Collects what elements refer to; each method returns the reference to use as a fill or a clip. */
export function createDefinitions() {
  const parts: string[] = [];
  const define = (name: string, attributes: Attributes, children: string): string => {
    const id = `d${parts.length}`;
    parts.push(tag(name, { id, ...attributes }, children));
    return `url(#${id})`;
  };
  const gradient = (name: string, attributes: Attributes, stops: readonly Stop[]): string => {
    const children = stops.map((stop, index) => {
      const even = index / (stops.length - 1);
      const [offset, colour, opacity = 1] = typeof stop === 'string' ? [even, stop] : stop;
      const translucent = opacity >= 1 ? undefined : Math.max(0, opacity);
      return tag('stop', { offset, 'stop-color': colour, 'stop-opacity': translucent });
    });
    return define(name, { gradientUnits: 'userSpaceOnUse', ...attributes }, children.join(''));
  };
  return {
    /** A fill that changes from top to bottom. */
    vertical: (top: number, bottom: number, ...stops: readonly Stop[]): string =>
      gradient('linearGradient', { x1: 0, y1: top, x2: 0, y2: bottom }, stops),
    /** A fill that changes with the distance from a point. */
    radial: (cx: number, cy: number, r: number, stops: readonly Stop[]): string =>
      gradient('radialGradient', { cx, cy, r }, stops),
    clip: (data: string): string => define('clipPath', {}, tag('path', { d: data })),
    markup: (): string => (parts.length === 0 ? '' : tag('defs', {}, parts.join(''))),
  };
}

/** A point in scene units, x to the right and y downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const at = ({ x, y }: Point): string => path`${x} ${y}`;

/** A closed outline of straight lines. */
export const polygon = (points: readonly Point[]): string => `M${points.map(at).join('L')}z`;

/** A smooth open line through all points. */
export function curve(points: readonly Point[]): string {
  const parts = points.map((there, index) => {
    const here = points[index - 1];
    if (!here) return `M${at(there)}`;
    const [before, after] = [points[index - 2] ?? here, points[index + 1] ?? there];
    // Catmull-Rom written as Bézier: each handle is a sixth of the chord between the neighbours.
    const leave = { x: here.x + (there.x - before.x) / 6, y: here.y + (there.y - before.y) / 6 };
    const arrive = { x: there.x - (after.x - here.x) / 6, y: there.y - (after.y - here.y) / 6 };
    return `C${at(leave)} ${at(arrive)} ${at(there)}`;
  });
  return parts.join('');
}

/** A rectangle as path data, so that many can share one element. */
export const box = (x: number, y: number, width: number, height: number): string =>
  path`M${x} ${y}h${width}v${height}h${-width}z`;
