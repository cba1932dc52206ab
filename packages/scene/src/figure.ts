/** Draws what stands in front of a scene: its subjects, or words set in type. */
import drawings from '../data/drawings.json';
import { mix } from './colour';
import { type Figure, figuresByPlace } from './compositions';
import { em, type Glyph, glyphs, setLine, space, widthOf } from './letters';
import type { Scene } from './scene';
import { circle, fade, type Point, path, tag } from './svg';

/** Drawings of half a body, which the lower border cuts as in a portrait. */
const bustName =
  /^(artist|astronaut|baby|boy|bust.*|child|construction-worker|cook|detective|factory-worker|farmer|firefighter|girl|guard|health-worker|judge|man|mechanic|office-worker|old-.*|older-person|person|person-(blonde.*|getting-.*|in-tuxedo|with-.*|wearing-.*|tipping-.*|shrugging|raising-.*|feeding-.*|facepalming|deaf)|pilot|police-officer|pregnant-.*|prince|princess|santa-claus|scientist|singer|student|superhero|teacher|(.*-)?technologist|(wo)?man-.*|woman|ninja|mage)$/;

/** Subjects with several drawings, of which each seed shows one: a page may show a subject more than once. */
const poses =
  'cat cat-face, dog poodle service-dog, woman woman-medium-dark woman-light, man man-medium-dark man-light man-beard, house house-with-garden, laptop desktop-computer, bouquet tulip rose, hot-beverage teacup-without-handle, closed-book open-book books'
    .split(', ')
    .map((names) => names.split(' '));

/** Width and height of a drawing in its own units. */
const boxSide = 32;

/** Draws one figure in a square with sides of `size` units; the point is the middle of its lower edge. */
export function drawFigure(scene: Scene, name: string, { x, y }: Point, size: number, tint = 0): string {
  const body = (drawings as Readonly<Record<string, string>>)[name] ?? '';
  const { light, style } = scene;
  const lit = body.replace(/#([\da-f]{6}|[\da-f]{3})\b/g, (_, digits: string) => {
    const colour = `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`;
    return tint === 0 ? colour : mix(colour, mix(light.haze, light.tint, light.tintAmount), tint);
  });
  const scale = size / boxSide;
  // The lower edge of most drawings lies two units above that of their square.
  const transform = path`translate(${x - size / 2} ${y - size * 0.94}) scale(${scale})`;
  const ink = { stroke: mix(light.shade, '#000000', 0.3), 'stroke-width': 0.9, 'stroke-linejoin': 'round' };
  const outline = style.inked && tint === 0 ? tag('g', ink, lit.replace(/ id="[^"]*"/g, '')) : '';
  return tag('g', { transform }, outline + lit);
}

/** Places the main subject: in the middle, or in wide frames on a third of them. */
export function frontOf({ frame, floor, reading, random }: Scene) {
  const { width, height, centre, span } = frame;
  const isBust = reading.drawings.some((name) => bustName.test(name));
  const two = reading.drawings.length > 1;
  const size = Math.min((isBust ? 0.78 : 0.66) * height, (two ? 0.52 : isBust ? 1 : 0.76) * width);
  const roomy = width > 1.3 * height && !two && !reading.composition;
  const x = centre + (roomy ? random.fork('figure').pick([0, -0.16, 0.16]) * span : 0);
  const foot = isBust ? height * 1.005 : (floor ?? height * 0.48 + size * 0.47);
  return { x, y: foot, size, isBust };
}

/** Draws the composition or the subjects of the words, or else the figures of the place. */
export function drawFigures(scene: Scene): string {
  const { composition, drawings, place } = scene.reading;
  if (composition) return drawComposition(scene, composition.figures);
  if (drawings.length > 0) return drawSubjects(scene);
  return drawComposition(scene, figuresByPlace[place] ?? [], Math.max(0.2, 0.75 * scene.light.tintAmount));
}

/** Draws one subject, or two, the second one smaller and behind. */
function drawSubjects(scene: Scene): string {
  const { reading, floor, light, defs } = scene;
  const { x, y, size, isBust } = frontOf(scene);
  const [main = '', second] = reading.drawings.map((name) =>
    scene.random.fork('pose').pick([name, ...(poses.find(([first]) => first === name)?.slice(1) ?? [])]),
  );
  const shadow = (x: number, y: number, radius: number): string => {
    const dark = fade(light.shade, [0, 0.42], [0.6, 0.22], [1, 0]);
    const transform = path`translate(${x} ${y}) scale(1 0.16)`;
    return circle(0, 0, radius, defs.radial(0, 0, radius, dark), { transform });
  };
  const at = (name: string, x: number, size: number): string => {
    const foot = isBust && !bustName.test(name) ? y - size * 0.04 : y;
    const stands = floor !== undefined && !isBust;
    return (stands ? shadow(x, foot, size * 0.46) : '') + drawFigure(scene, name, { x, y: foot }, size);
  };
  if (second === undefined) return at(main, x, size);
  return at(second, x + size * 0.44, size * 0.78) + at(main, x - size * 0.38, size);
}

/** Draws figures around the middle of the frame. In a narrow frame they are as wide as the frame. */
function drawComposition(scene: Scene, figures: readonly Figure[], tint = 0): string {
  const { width, height, centre } = scene.frame;
  const unit = Math.min(height, 0.8 * width) / 100;
  return figures
    .map(({ name, aside, up, side }) =>
      drawFigure(scene, name, { x: centre + aside * unit, y: height - up * unit }, side * unit, tint),
    )
    .join('');
}

/** Height of a line, in the units of its letters. */
const lineHeight = 1.12 * em;

/** Sets words in type, in at most four lines; nothing where most of the letters are in another script. */
export function drawWords({ frame, light, style }: Scene, text: string, colour: string): string {
  const letters = [...text.normalize('NFC')].filter((letter) => /\S/.test(letter));
  if (letters.filter((letter) => glyphs[letter]).length < Math.max(1, 0.6 * letters.length)) return '';
  const words = text
    .normalize('NFC')
    .split(/\s+/)
    .map((word) => [...word].flatMap((letter) => (glyphs[letter] ? [glyphs[letter]] : [])))
    .filter((word) => word.length > 0);
  const length = words.reduce((sum, word) => sum + widthOf(word) + space[0], 0);
  const settings = [1, 2, 3, 4].map((count) => {
    const lines = breakLines(words, (length / count) * 1.15);
    const widest = Math.max(...lines.map(widthOf));
    const [fitting, usual] = [(0.8 * frame.width) / widest, (0.2 * frame.unit) / em];
    return { lines, scale: Math.min(fitting, usual, (0.62 * frame.height) / (lines.length * lineHeight)) };
  });
  const { lines, scale } = settings.reduce((best, next) => (next.scale > best.scale * 1.05 ? next : best));
  const set = lines.map((line, index) => {
    const x = frame.centre - (widthOf(line) / 2) * scale;
    const y = frame.height / 2 + (index - lines.length / 2 + 0.77) * lineHeight * scale;
    const transform = path`translate(${x} ${y}) scale(${scale})`;
    return tag('g', { transform }, setLine(line));
  });
  const ink = style.inked ? { stroke: light.shade, 'stroke-width': 6, 'paint-order': 'stroke' } : {};
  return tag('g', { fill: colour, ...ink }, set.join(''));
}

/** Breaks words into lines that are no longer than `lengthMax`, unless a word is. */
function breakLines(words: readonly Glyph[][], lengthMax: number): Glyph[][] {
  const lines: Glyph[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line && widthOf(line) + space[0] + widthOf(word) <= lengthMax) line.push(space, ...word);
    else lines.push([...word]);
  }
  return lines;
}
