/** Collects definitions (gradients, clips, patterns) and hands out their ids in drawing order. */
import { element, num, share } from './element';

/** One gradient stop: where (0 to 1), which colour, how opaque. */
type Stop = readonly [offset: number, colour: string, opacity?: number];

/** Where a picture keeps what its elements refer to. */
export interface Canvas {
  /** Stores a definition and returns its id. */
  define(write: (id: string) => string): string;
  /** A fill that changes between two points. */
  linear(x1: number, y1: number, x2: number, y2: number, stops: readonly Stop[]): string;
  /** A fill that changes with the distance from a point; `squash` flattens it vertically. */
  radial(x: number, y: number, radius: number, stops: readonly Stop[], squash?: number): string;
  /** A clip reference for a path. */
  clip(path: string): string;
  definitions(): string;
}

const writeStops = (stops: readonly Stop[]): string =>
  stops
    .map(([offset, colour, opacity]) =>
      element('stop', {
        offset: share(offset),
        'stop-color': colour,
        'stop-opacity': opacity === undefined || opacity >= 1 ? undefined : opacity,
      }),
    )
    .join('');

/** An empty canvas. */
export function createCanvas(): Canvas {
  const parts: string[] = [];
  const define = (write: (id: string) => string): string => {
    const id = `d${parts.length}`;
    parts.push(write(id));
    return id;
  };
  const units = 'userSpaceOnUse';
  return {
    define,
    linear(x1, y1, x2, y2, stops) {
      const id = define((name) =>
        element('linearGradient', { id: name, gradientUnits: units, x1, y1, x2, y2 }, writeStops(stops)),
      );
      return `url(#${id})`;
    },
    radial(x, y, radius, stops, squash = 1) {
      const id = define((name) =>
        element(
          'radialGradient',
          {
            id: name,
            gradientUnits: units,
            cx: x,
            cy: squash === 1 ? y : 0,
            r: radius,
            gradientTransform: squash === 1 ? undefined : `translate(0 ${num(y)}) scale(1 ${share(squash)})`,
          },
          writeStops(stops),
        ),
      );
      return `url(#${id})`;
    },
    clip(path) {
      const id = define((name) => element('clipPath', { id: name }, element('path', { d: path })));
      return `url(#${id})`;
    },
    definitions: () => (parts.length === 0 ? '' : element('defs', {}, parts.join(''))),
  };
}
