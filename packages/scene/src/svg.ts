/** Writes SVG as text: numbers, path data, elements and gradients. */

/** Writes a value. A number below 10 may be a share, so it gets three decimals; others get one. */
function writeValue(value: string | number): string {
  if (typeof value === 'string') return value;
  const unit = Math.abs(value) < 10 ? 1_000 : 10;
  return String(Math.round(value * unit) / unit);
}

/** Writes path data or a transform from a template, and rounds its numbers. */
export const writePath = (texts: TemplateStringsArray, ...values: readonly (number | string)[]): string =>
  texts.map((text, index) => writeValue(values[index - 1] ?? '') + text).join('');

export type Attributes = Readonly<Record<string, string | number>>;

/** Writes an element. @param children markup inside the element */
export function writeTag(name: string, attributes: Attributes, children = ''): string {
  const head = Object.entries(attributes).map(([key, value]) => ` ${key}="${writeValue(value)}"`);
  const open = `<${name}${head.join('')}`;
  return children === '' ? `${open}/>` : `${open}>${children}</${name}>`;
}

/** Joins the markup or path data of the numbers from 0 to below `count`. */
export const joinRepeated = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

export const writeShape = (d: string, fill: string, attributes: Attributes = {}): string =>
  d === '' ? '' : writeTag('path', { d, fill, ...attributes });

/** Writes a stroked path with round ends, so that a stroke of no length is a dot. */
export const writeStroke = (d: string, stroke: string, width: number, opacity = 1): string =>
  writeShape(d, 'none', { stroke, 'stroke-width': width, 'stroke-linecap': 'round', opacity });

/** A point in scene units, x to the right and y downwards. */
export type Point = { readonly x: number; readonly y: number };

export const writeCircle = ({ x, y }: Point, r: number, fill: string, attributes: Attributes = {}): string =>
  writeTag('circle', { cx: x, cy: y, r, fill, ...attributes });

type Stop = readonly [offset: number, colour: string, opacity?: number];

/** Creates a collection of gradients. Its methods add a gradient and return the fill. */
export function createGradients() {
  const gradients: string[] = [];
  const addGradient = (name: string, attributes: Attributes, stops: readonly Stop[]): string => {
    const id = `g${gradients.length}`;
    const children = stops.map(([offset, colour, opacity = 1]) =>
      writeTag('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity }),
    );
    gradients.push(writeTag(name, { id, ...attributes }, children.join('')));
    return `url(#${id})`;
  };
  return {
    /** Changes from top to bottom. */
    addVertical: (...stops: readonly Stop[]) => addGradient('linearGradient', { x2: 0, y2: 1 }, stops),
    /** Changes from the middle to the border. */
    addRadial: (...stops: readonly Stop[]) => addGradient('radialGradient', {}, stops),
    writeMarkup: () => writeTag('defs', {}, gradients.join('')),
  };
}

/** Writes a rectangle as path data, so that many rectangles can share one element. */
export const writeBox = (x: number, y: number, width: number, height: number): string =>
  writePath`M${x} ${y}h${width}v${height}h${-width}z`;
