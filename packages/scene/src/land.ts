/** Draws land and water: rolling ground with firs, mountains, rows of towers, and water that mirrors them. */
import { mixColours } from './colour';
import { addFill, lightenColour, listPositions, makeOutline, type Scene } from './scene';
import { joinRepeated, writeBox, writePath, writeShape, writeStroke, writeTag } from './svg';

/** A row of rolling ground. `base` is the y of its foot, in scene units. The label seeds its form. */
interface Hill {
  readonly label: string;
  readonly base: number;
  readonly height: number;
  /** 0 at the viewer, 1 at the horizon. */
  readonly distance: number;
  readonly colour: string;
  /** Density of the firs. At 1 they are a closed wood. */
  readonly firs: number;
  readonly hasSurf?: boolean;
}

/** Draws rolling ground down to `bottom`, with firs behind its skyline. */
export function drawHill(scene: Scene, hill: Hill, bottom = scene.frame.height): string {
  const { frame, light, style } = scene;
  const random = scene.random.fork(`hill/${hill.label}`);
  const [broad, narrow] = [random.between(0, 7), random.between(0, 7)];
  const computeSkylineY = (x: number): number => {
    const angle = (10 * (x - frame.centre)) / frame.unit;
    return (
      hill.base - hill.height * (0.5 + 0.22 * Math.sin(angle + broad) + 0.12 * Math.sin(1.9 * angle + narrow))
    );
  };
  // Many short lines look like a curve. The borders hide its ends.
  const step = frame.width / 90;
  const crest = `M${joinRepeated(93, (index) => writePath`${(index - 1) * step} ${computeSkylineY((index - 1) * step)} `)}`;
  const colour = lightenColour(scene, hill.colour, hill.distance);
  const fill = addFill(scene, colour, mixColours(colour, light.haze, 0.12 + 0.35 * hill.distance));
  const surf = mixColours('#ffffff', light.tint, 0.6 * light.tinted);
  return (
    (hill.firs > 0 ? drawFirs(scene, hill, computeSkylineY) : '') +
    writeShape(writePath`${crest}V${bottom}H${-frame.width}z`, fill, makeOutline(scene)) +
    (hill.hasSurf ? writeStroke(crest, surf, 0.012 * frame.unit, 0.9) : '') +
    (style.isDark ? writeStroke(crest, light.glow, 0.0026 * frame.unit, 0.4) : '')
  );
}

/** A fir of three tiers, in units of its height, with its foot at 0. */
const fir =
  'M0-1L.11-.63L.07-.65L.16-.36L.1-.38L.21-.07L.03-.1V.1H-.03V-.1L-.21-.07L-.1-.38L-.16-.36L-.07-.65L-.11-.63z';

/** Draws firs along a skyline, in clumps. A bare style has no distant firs. */
function drawFirs(scene: Scene, { label, distance, firs }: Hill, skyline: (x: number) => number): string {
  const { frame, style, light, parsedWords, random: source } = scene;
  if (style.isBare && distance > 0.4) return '';
  const usualHeight = frame.unit * (0.17 - 0.22 * Math.min(distance, 0.6));
  const positions = listPositions(frame, source.fork(`firs/${label}`), (usualHeight * 0.3) / firs);
  const trees = positions.map(({ x, random }) => {
    const clump = Math.sin((7.7 * (x - frame.centre)) / frame.unit + distance * 30);
    const height = usualHeight * random.between(0.55, 1.15) * (1 + 0.2 * clump);
    if (random.next() >= 0.62 + 0.36 * clump * firs) return '';
    return writeTag('path', { d: fir, transform: writePath`translate(${x} ${skyline(x)}) scale(${height})` });
  });
  const green = parsedWords.setting === 'autumn' ? '#8a4f2a' : '#27513f';
  const needles = mixColours(green, light.shade, style.isDark ? 0.9 : 0.25 * (1 - distance));
  return writeTag(
    'g',
    { fill: lightenColour(scene, needles, distance), ...makeOutline(scene, usualHeight) },
    trees.join(''),
  );
}

/** The parts of a mountain that is 2 wide and 1 high: its outline, its face in the shade, and its snow. */
const mountain = 'M-1 0L-.47-.5L0-1L.5-.46L1 0z';
const shadyFace = 'M0-1L.5-.46L1 0H.1L-.1-.4L.06-.7z';
const snow = 'M0-1L.36-.61L.12-.7L-.04-.58L-.16-.7L-.33-.65z';

/** Draws a range of mountains on `base`, the taller ones behind. */
export function drawRange(scene: Scene, base: number, height: number, distance: number): string {
  const { frame, light, parsedWords } = scene;
  const spacing = 0.36 * height * (frame.unit / frame.rise);
  const colour = parsedWords.setting === 'winter' ? '#b3c2d6' : '#5d6b7d';
  const rock = lightenColour(scene, mixColours(colour, light.zenith, 0.3 * distance), distance);
  const sunny = addFill(scene, rock, mixColours(rock, light.haze, 0.5));
  const shady = addFill(scene, mixColours(rock, light.shade, 0.35), mixColours(rock, light.haze, 0.4));
  const white = lightenColour(scene, '#f8fbff', distance * 0.55);
  const highest = scene.random.fork('highest').pick([-2, -1, 0, 1, 2]);
  const peaks = listPositions(frame, scene.random.fork(`range/${distance}`), spacing);
  const mountains = peaks.map(({ index, x, random }) => {
    const tall = height * (index === highest ? 1 : random.between(0.42, 0.86));
    const half = random.pick([-1, 1]) * spacing * (0.5 + (0.5 * tall) / height);
    const faces =
      writeShape(mountain, sunny, makeOutline(scene, tall)) +
      writeShape(shadyFace, shady) +
      writeShape(snow, white, { opacity: 0.85 });
    const transform = writePath`translate(${x} ${base}) scale(${half} ${tall})`;
    return { tall, marks: writeTag('g', { transform }, faces) };
  });
  const tallestFirst = mountains.sort((a, b) => b.tall - a.tall);
  return tallestFirst.map(({ marks }) => marks).join('');
}

/** Draws a row of towers on `base`. Distant towers have no windows. */
export function drawTowers(scene: Scene, base: number, tallest: number, breadth: number, distance: number) {
  const { frame, light, style, random: source } = scene;
  const spacing = breadth * frame.unit;
  const pane = Math.max(spacing * 0.07, 2.2);
  const windowShare = style.isBare || distance > 0.6 ? 0 : 0.3;
  let [walls, sides, windows] = ['', '', ''];
  for (const { x, random } of listPositions(frame, source.fork(`towers/${distance}`), spacing)) {
    const width = spacing * random.between(0.62, 1.22);
    // The skyline swells towards the middle, as business districts do.
    const swell = 0.5 + 0.5 * Math.exp(-(((x - frame.centre) / (0.42 * frame.unit)) ** 2));
    const top = base - tallest * swell * random.between(0.38, 1);
    walls += writeBox(x, top, width, base - top);
    sides += writeBox(x + width * 0.64, top, width * 0.36, base - top);
    // Upright dashes, because a stroke takes half the bytes of a rectangle.
    for (let y = top + 1.6 * pane; y < base - 2 * pane; y += 2.9 * pane)
      for (let across = pane; across < width - pane; across += 2.5 * pane)
        if (random.next() < windowShare) windows += writePath`M${x + across} ${y}v${1.5 * pane}`;
  }
  const colour = lightenColour(scene, light.isNight ? '#3b4a66' : '#7d8aa3', distance);
  const fill = addFill(scene, mixColours(colour, light.shade, 0.15), mixColours(colour, light.haze, 0.5));
  const glass = light.isNight ? '#ffd58a' : mixColours(light.horizon, '#ffffff', 0.4);
  const shine = { stroke: glass, 'stroke-width': pane, opacity: light.isNight ? 0.75 : 0.4 };
  return (
    writeShape(walls, fill, makeOutline(scene)) +
    writeShape(sides, light.shade, { opacity: 0.16 }) +
    writeShape(windows, 'none', shine)
  );
}

/** Draws water below the horizon, and the markup `shore` above it with its mirror image. */
export function drawWater(scene: Scene, horizon: number, sunX: number, shore: string): string {
  const { frame, light, gradients, style } = scene;
  const random = scene.random.fork('water');
  const { unit, width } = frame;
  const depth = frame.height - horizon;
  // Water shows the sky upside down: far off the colour of the horizon, close by the colour of the zenith.
  const near = mixColours(lightenColour(scene, '#2a7391'), light.zenith, style.isFlat ? 0.2 : 0.55);
  const far = mixColours(near, light.horizon, style.isFlat ? 0.35 : 0.65);
  const area = writeBox(0, horizon, width, depth);
  /** Slivers of light around an x, the longer the nearer: `near` is 0 at the horizon and 1 at the viewer. */
  const drawGlints = (count: number, x: (near: number) => number): string =>
    joinRepeated(count * frame.breadth, () => {
      const near = random.next() ** 1.5;
      const length = unit * (0.01 + 0.11 * near) * random.between(0.4, 1.2);
      const thickness = unit * (0.0012 + 0.005 * near);
      const start = writePath`M${x(near) - length / 2} ${horizon + depth * near}`;
      return writePath`${start}q${length / 2} ${-thickness} ${length} 0q${-length / 2} ${thickness} ${-length} 0z`;
    });
  const anywhere = drawGlints(style.isBare ? 25 : 80, () => random.next() * width);
  const belowSun = drawGlints(60, (near) => sunX + random.between(-1, 1) * unit * (0.015 + 0.06 * near));
  const flip = writePath`translate(0 ${2 * horizon}) scale(1 -1)`;
  return (
    writeTag('g', { id: 'shore' }, shore) +
    writeShape(area, gradients.addVertical([0, far], [1, near])) +
    writeTag('use', { href: '#shore', transform: flip, opacity: 0.6 }) +
    writeShape(area, gradients.addVertical([0, far, 0.12], [1, near, 0.9])) +
    writeShape(anywhere, mixColours(light.horizon, '#ffffff', 0.35), { opacity: 0.3 }) +
    writeShape(belowSun, light.glow, { opacity: 0.5 })
  );
}
