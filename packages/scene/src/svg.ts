/** Writes SVG: numbers, path data, elements, and the gradients and clips they refer to. */

/** A number as SVG text with one decimal at most. */
export function num(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return Object.is(rounded, -0) ? '0' : String(rounded);
}

/** A number with three decimals: shares, and lengths in the coordinates of a small figure. */
const fine = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Path data or a transform as a template whose numbers are rounded; text goes in as it is. */
export function path(texts: TemplateStringsArray, ...values: readonly (number | string)[]): string {
  let data = texts[0] ?? '';
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? '';
    data += (typeof value === 'number' ? num(value) : value) + (texts[index + 1] ?? '');
  }
  return data;
}

/** What an attribute may hold; undefined leaves the attribute out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

const written = (value: string | number): string =>
  typeof value === 'string' ? value : Math.abs(value) < 10 ? fine(value) : num(value);

/** One element; `children` is markup already. */
export function element(name: string, attributes: Attributes, children = ''): string {
  let open = name;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) open += ` ${key}="${written(value)}"`;
  }
  return children === '' ? `<${open}/>` : `<${open}>${children}</${name}>`;
}

/** A filled path; nothing when it has no data. */
export const shape = (d: string, fill: string, attributes: Attributes = {}): string =>
  d === '' ? '' : element('path', { d, fill, ...attributes });

/** A stroked path with round ends; a stroke of no length is a dot. */
export const line = (d: string, stroke: string, width: number, attributes: Attributes = {}): string =>
  d === ''
    ? ''
    : element('path', {
        d,
        fill: 'none',
        stroke,
        'stroke-width': width,
        'stroke-linecap': 'round',
        ...attributes,
      });

export const circle = (
  cx: number,
  cy: number,
  r: number,
  fill: string,
  attributes: Attributes = {},
): string => element('circle', { cx, cy, r, fill, ...attributes });

export const group = (attributes: Attributes, children: string): string => element('g', attributes, children);

/** One gradient stop: where (0 to 1), which colour, how opaque. */
export type Stop = readonly [offset: number, colour: string, opacity?: number];

/** The stops of one colour at several opacities. */
export const fade = (
  colour: string,
  ...stops: readonly (readonly [offset: number, opacity: number])[]
): Stop[] => stops.map(([offset, opacity]) => [offset, colour, opacity]);

/** Collects what elements refer to; each method returns the reference to use as a fill or a clip. */
export interface Definitions {
  linear(x1: number, y1: number, x2: number, y2: number, stops: readonly Stop[]): string;
  /** A fill that changes from top to bottom. */
  vertical(top: number, bottom: number, stops: readonly Stop[]): string;
  /** A fill that changes with the distance from a point; `squash` below 1 flattens it. */
  radial(x: number, y: number, radius: number, stops: readonly Stop[], squash?: number): string;
  clip(data: string): string;
  /** A square tile that is repeated. */
  tile(side: number, markup: string): string;
  markup(): string;
}

/** An empty collection. */
export function createDefinitions(): Definitions {
  const parts: string[] = [];
  const define = (name: string, attributes: Attributes, children: string): string => {
    const id = `d${parts.length}`;
    parts.push(element(name, { id, ...attributes }, children));
    return `url(#${id})`;
  };
  const gradient = (name: string, attributes: Attributes, stops: readonly Stop[]): string =>
    define(
      name,
      { gradientUnits: 'userSpaceOnUse', ...attributes },
      stops
        .map(([offset, colour, opacity = 1]) =>
          element('stop', {
            offset,
            'stop-color': colour,
            'stop-opacity': opacity >= 1 ? undefined : Math.max(0, opacity),
          }),
        )
        .join(''),
    );
  const linear: Definitions['linear'] = (x1, y1, x2, y2, stops) =>
    gradient('linearGradient', { x1, y1, x2, y2 }, stops);
  return {
    linear,
    vertical: (top, bottom, stops) => linear(0, top, 0, bottom, stops),
    radial: (x, y, radius, stops, squash = 1) =>
      gradient(
        'radialGradient',
        squash === 1
          ? { cx: x, cy: y, r: radius }
          : {
              cx: x,
              cy: 0,
              r: radius,
              gradientTransform: `${path`translate(0 ${y})`} scale(1 ${fine(squash)})`,
            },
        stops,
      ),
    clip: (data) => define('clipPath', {}, element('path', { d: data })),
    tile: (side, markup) =>
      define('pattern', { width: side, height: side, patternUnits: 'userSpaceOnUse' }, markup),
    markup: () => (parts.length === 0 ? '' : element('defs', {}, parts.join(''))),
  };
}

/** Many round things in few bytes: dots and short strokes, grouped by thickness. */
export interface RoundStrokes {
  add(width: number, data: string): void;
  /** Writes all strokes in one colour; `edge` (with `stroke` and `stroke-width`) outlines their union. */
  draw(colour: string, edge?: Attributes): string;
}

/** Thicknesses that differ by less than a fifth share an element. */
const STEP = Math.log(1.2);

export function createRoundStrokes(): RoundStrokes {
  const groups = new Map<number, string>();
  return {
    add(width, data) {
      const thickness = Math.round(Math.log(Math.max(0.1, width)) / STEP);
      groups.set(thickness, (groups.get(thickness) ?? '') + data);
    },
    draw(colour, edge = {}) {
      const sorted = [...groups].sort(([a], [b]) => a - b);
      const layer = (stroke: string, more: number): string =>
        sorted.map(([thickness, d]) => line(d, stroke, Math.exp(thickness * STEP) + more)).join('');
      const { stroke, 'stroke-width': width } = edge;
      // Outlines go under all fills, so that only the outer edge of a group of rounds is inked.
      const outline = typeof stroke === 'string' && typeof width === 'number' ? layer(stroke, 2 * width) : '';
      return outline + layer(colour, 0);
    },
  };
}
