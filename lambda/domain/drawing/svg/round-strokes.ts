/** Many round things in few bytes: dots and short strokes with round ends, grouped by thickness. */
import { type Attributes, element } from './element';

/** Collects strokes; thicknesses that differ by less than a fifth share an element. */
export interface RoundStrokes {
  add(width: number, data: string): void;
  /** Writes all strokes in one colour; `edge` (with `stroke` and `stroke-width`) outlines their union. */
  draw(colour: string, edge?: Attributes, opacity?: number): string;
}

const STEP = Math.log(1.2);

/** An empty collection. */
export function createRoundStrokes(): RoundStrokes {
  const groups = new Map<number, string>();
  return {
    add(width, data) {
      const group = Math.round(Math.log(Math.max(0.1, width)) / STEP);
      groups.set(group, (groups.get(group) ?? '') + data);
    },
    draw(colour, edge = {}, opacity) {
      const sorted = [...groups].sort(([a], [b]) => a - b);
      const layer = (stroke: string, more: number): string =>
        sorted
          .map(([group, d]) =>
            element('path', {
              d,
              fill: 'none',
              stroke,
              'stroke-width': Math.exp(group * STEP) + more,
              'stroke-linecap': 'round',
              'stroke-opacity': opacity,
            }),
          )
          .join('');
      const ink = edge['stroke'];
      const width = edge['stroke-width'];
      // Outlines go under all fills, so that only the outer edge of a group of rounds is inked.
      const outline = typeof ink === 'string' && typeof width === 'number' ? layer(ink, 2 * width) : '';
      return outline + layer(colour, 0);
    },
  };
}
