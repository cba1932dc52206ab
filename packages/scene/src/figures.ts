/** Composes and draws the subjects in front of a scene. */
import drawings from '../data/drawings.json';
import { mixColours } from './colour';
import { floatingSettings } from './landscapes';
import type { Scene } from './scene';
import { writeCircle, writePath, writeTag } from './svg';

/** Drawings of half a body. They end at the lower border of the scene or at a table. */
const halfBody =
  /^((wo)?man(-.*)?|old-(wo)?man|older-person|artist|astronaut|baby|boy|bust.*|child|construction-worker|cook|detective|factory-worker|farmer|firefighter|girl|guard|health-worker|judge|mechanic|office-worker|person(-(deaf|facepalming|feeding-baby|getting-.*|in-tuxedo|shrugging|wearing-.*|with-.*))?|pilot|police-officer|pregnant-.*|prince|princess|santa-claus|scientist|singer|student|teacher|technologist|ninja)$/;
/** Drawings with writing or continents, which must not be mirrored. */
const oneWay = /globe|store/;

/** The colours of people in `drawings.json`: the skin, its shade, its lines, and the hair. */
const bodyColours = [/#ffc83d/g, /#fcb100|#fdbb11|#f59f00/g, /#ed9200|#d67d00/g, /#f1a11e|#ea9129|#d37034/g];
/** Complexions of people: the skin, its shade, its lines, and then each colour of hair that goes with them. */
const complexions = [
  ['#ffd7c2', '#f4c6ad', '#e5af93', '#e0b878', '#8a4b2d', '#212121'],
  ['#eebfaa', '#e4b29a', '#d19479', '#593b39', '#e0b878'],
  ['#c68d7b', '#bb806e', '#ab6a55', '#593b39', '#212121'],
  ['#966661', '#8b5c56', '#75443e', '#2d242d', '#372128'],
  ['#6b443f', '#5c3a37', '#3d2123', '#201a1a', '#2d242d'],
] as const;

/** Layouts of one, two and three figures: the share of the first in the width, and the places in sizes of the first. */
const layouts = [
  { share: 0.76, asides: [0] },
  { share: 0.52, asides: [-0.38, 0.46] },
  { share: 0.42, asides: [0, 0.6, -0.6] },
] as const;

/** The edge of a table, as a share of the height. */
export const tableEdge = 0.68;

/** A drawing in a square with sides of `size` units. `x` and `y` are the middle of its lower edge. */
type Figure = ReturnType<typeof composeFigures>[number];

/** Composes the subjects of a scene, the main one first. */
export function composeFigures(scene: Scene) {
  const { width, height, centre, span } = scene.frame;
  const { setting, figures } = scene.parsedWords;
  const random = scene.random.fork('figures');
  const hasPeople = figures.some(([name = '']) => halfBody.test(name));
  // A single subject that is no person may be drawn several times.
  const count = figures.length === 1 && !hasPeople ? random.pick([1, 1, 1, 2, 3]) : figures.length;
  const { share, asides } = layouts[count - 1] ?? layouts[0];
  const heightShare = !hasPeople ? 0.66 : setting === 'table' ? 0.6 : 0.78;
  const size = Math.min(heightShare * height, share * width) * random.between(0.75, 1.05);
  const freeWidth = Math.max(0, width - size * (1 + 2 * (asides[1] ?? 0)));
  const middle = centre + random.between(-0.4, 0.4) * Math.min(freeWidth, 0.75 * span);
  const ground = floatingSettings.includes(setting) ? 0.48 * height + 0.47 * size : 0.9 * height;
  const foot = ground + random.between(-0.03, 0.03) * height;
  const direction = random.pick([-1, 1]);
  return asides.slice(0, count).map((aside, index) => {
    const figureRandom = random.fork(index);
    const name = figureRandom.pick(figures[index] ?? figures[0] ?? ['']);
    const isHalf = halfBody.test(name);
    const isBeforePeople = setting === 'table' && hasPeople && !isHalf;
    const [skin, shade, lines, ...hairs] = figureRandom.pick(complexions);
    return {
      name,
      x: middle + size * aside * direction,
      y: !isHalf ? foot : setting === 'table' ? tableEdge * height : 1.005 * height,
      size: size * (isBeforePeople ? 0.5 : index === 0 ? 1 : figureRandom.between(0.75, 0.95)),
      isMirrored: (setting !== 'studio' || isHalf) && !oneWay.test(name) && figureRandom.next() < 0.5,
      /** The colours of a person, which replace `bodyColours`. */
      look: [skin, shade, lines, figureRandom.pick<string>(hairs)],
    };
  });
}

/** Draws a figure. A person gets the colours of its look. */
function drawFigure({ light, style }: Scene, figure: Figure): string {
  const { name, x, y, size, isMirrored, look } = figure;
  const original = (drawings as Readonly<Record<string, string>>)[name] ?? '';
  const isPerson = /#ffc83d/.test(original);
  const drawing = look.reduce(
    (body, colour, index) => (isPerson ? body.replace(bodyColours[index] ?? '', colour) : body),
    original,
  );
  // A drawing measures 32 by 32 units, and most stand two units above the lower edge.
  const [across, down] = [(isMirrored ? -size : size) / 32, size / 32];
  const transform = writePath`translate(${x - 16 * across} ${y - size * 0.94}) scale(${across} ${down})`;
  const ink = {
    stroke: mixColours(light.shade, '#000000', 0.3),
    'stroke-width': 0.9,
    'stroke-linejoin': 'round',
  };
  const outline = style.hasOutlines ? writeTag('g', ink, drawing.replace(/ id="[^"]*"/g, '')) : '';
  return writeTag('g', { transform }, outline + drawing);
}

/** Draws the subjects of a scene, the nearest last. */
export function drawFigures(scene: Scene): string {
  const { parsedWords, light, gradients } = scene;
  const figures = composeFigures(scene)
    .toReversed()
    .sort((a, b) => a.y - b.y);
  const dark = gradients.addRadial([0, light.shade, 0.4], [0.6, light.shade, 0.2], [1, light.shade, 0]);
  const marks = figures.map((figure) => {
    const transform = writePath`translate(${figure.x} ${figure.y}) scale(1 0.16)`;
    const stands = !floatingSettings.includes(parsedWords.setting) && !halfBody.test(figure.name);
    const shadow = stands ? writeCircle({ x: 0, y: 0 }, 0.46 * figure.size, dark, { transform }) : '';
    return shadow + drawFigure(scene, figure);
  });
  return marks.join('');
}
