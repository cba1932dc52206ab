/** Writes SVG: numbers, path data, elements, and the gradients that fill them. */

/** A value as SVG text: a number with three decimals below 10, as in shares, and else with one. */
function textOf(value: string | number): string {
  if (typeof value === 'string') return value;
  const unit = Math.abs(value) < 10 ? 1_000 : 10;
  return String(Math.round(value * unit) / unit);
}

/** Writes path data or a transform from a template, whose numbers are rounded. */
export const path = (texts: TemplateStringsArray, ...values: readonly (number | string)[]): string =>
  texts.map((text, at) => textOf(values[at - 1] ?? '') + text).join('');

/** Attributes of an element by name. */
export type Attributes = Readonly<Record<string, string | number>>;

/** Writes one element around the markup of its children. */
export function tag(name: string, attributes: Attributes, children = ''): string {
  const head = Object.entries(attributes).map(([key, value]) => ` ${key}="${textOf(value)}"`);
  const open = `<${name}${head.join('')}`;
  return children === '' ? `${open}/>` : `${open}>${children}</${name}>`;
}

/** Joins the markup or path data of the numbers from 0 to below `count`. */
export const repeat = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** Writes a filled path; nothing without data. */
export const shape = (d: string, fill: string, attributes: Attributes = {}): string =>
  d === '' ? '' : tag('path', { d, fill, ...attributes });

/** Writes a stroked path with round ends; a stroke of no length is a dot. */
export const line = (d: string, stroke: string, width: number, opacity = 1): string =>
  shape(d, 'none', { stroke, 'stroke-width': width, 'stroke-linecap': 'round', opacity });

/** A point in scene units, x to the right and y downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Writes a circle around a point. */
export const circle = ({ x, y }: Point, r: number, fill: string, attributes: Attributes = {}): string =>
  tag('circle', { cx: x, cy: y, r, fill, ...attributes });

/** One stop of a gradient: where (0 to 1), which colour, how opaque. */
type Stop = readonly [offset: number, colour: string, opacity?: number];

/** Collects gradients over the whole of what they fill; each method returns the fill. */
export function createGradients() {
  const gradients: string[] = [];
  const define = (name: string, attributes: Attributes, stops: readonly Stop[]): string => {
    const id = `g${gradients.length}`;
    const children = stops.map(([offset, colour, opacity = 1]) =>
      tag('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity }),
    );
    gradients.push(tag(name, { id, ...attributes }, children.join('')));
    return `url(#${id})`;
  };
  return {
    /** Changes from top to bottom. */
    vertical: (...stops: readonly Stop[]) => define('linearGradient', { x2: 0, y2: 1 }, stops),
    /** Changes from the middle to the border. */
    radial: (...stops: readonly Stop[]) => define('radialGradient', {}, stops),
    markup: () => tag('defs', {}, gradients.join('')),
  };
}

/** Writes a rectangle as path data, so that many can share one element. */
export const box = (x: number, y: number, width: number, height: number): string =>
  path`M${x} ${y}h${width}v${height}h${-width}z`;
