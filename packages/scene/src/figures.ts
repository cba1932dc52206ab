/** Draws the subjects that stand in front of a scene. */
import drawings from '../data/drawings.json';
import { mix } from './colour';
import { floatingPlaces } from './landscapes';
import type { Scene } from './scene';
import { circle, type Point, path, tag } from './svg';

/** By the number of figures: the largest share of the width of the first, and where each stands in its sizes. */
const layouts = [
  { share: 0.76, asides: [0] },
  { share: 0.52, asides: [-0.38, 0.46] },
  { share: 0.42, asides: [0, 0.6, -0.6] },
] as const;

/** Draws a figure in a square with sides of `size` units; the point is the middle of its lower edge. */
export function drawFigure({ light, style }: Scene, name: string, { x, y }: Point, size: number) {
  const drawing = (drawings as Readonly<Record<string, string>>)[name] ?? '';
  // A drawing measures 32 by 32 units, and most stand two units above the lower edge.
  const transform = path`translate(${x - size / 2} ${y - size * 0.94}) scale(${size / 32})`;
  const ink = { stroke: mix(light.shade, '#000000', 0.3), 'stroke-width': 0.9, 'stroke-linejoin': 'round' };
  const outline = style.hasOutlines ? tag('g', ink, drawing.replace(/ id="[^"]*"/g, '')) : '';
  return tag('g', { transform }, outline + drawing);
}

/** Places the main figure: in the middle, or in a wide frame somewhat beside it. */
export function frontOf({ frame, reading, random }: Scene) {
  const { width, height, centre, span } = frame;
  const { share, asides } = layouts[reading.figures.length - 1] ?? layouts[0];
  const isPortrait = reading.figures[0]?.isPortrait;
  const size = Math.min((isPortrait ? 0.78 : 0.66) * height, share * width);
  const isRoomy = width > 1.3 * height && asides.length === 1;
  const reach = isRoomy ? (reading.figures.length === 0 ? 0.4 : 0.18) : 0;
  const x = centre + random.fork('figure').between(-reach, reach) * span;
  const isFloating = floatingPlaces.includes(reading.place);
  const foot = isFloating ? height * 0.48 + size * 0.47 : height * 0.9;
  return { x, y: isPortrait ? height * 1.005 : foot, size, asides, isFloating };
}

/** Draws up to three subjects, the first in front and the others smaller behind it. */
export function drawFigures(scene: Scene): string {
  const { reading, frame, light, gradients } = scene;
  const { x, y, size, asides, isFloating } = frontOf(scene);
  const dark = gradients.radial([0, light.shade, 0.4], [0.6, light.shade, 0.2], [1, light.shade, 0]);
  const marks = reading.figures.map(({ name, isPortrait }, at) => {
    const foot = { x: x + size * (asides[at] ?? 0), y: isPortrait ? y : Math.min(y, frame.height * 0.95) };
    const side = at === 0 ? size : 0.8 * size;
    const transform = path`translate(${foot.x} ${foot.y}) scale(1 0.16)`;
    const shadow = isFloating || isPortrait ? '' : circle({ x: 0, y: 0 }, 0.46 * side, dark, { transform });
    return shadow + drawFigure(scene, name, foot, side);
  });
  return marks.reverse().join('');
}
