/** Space: a great planet lit from one side, a moon, nebulae and stars. */
import { adjust, fromHue, mix } from './colour';
import { along, cover, fromSide } from './frame';
import { drawStars } from './night';
import { createNoise } from './random';
import { box, ellipse, outline, type Point } from './shapes';
import type { Stage } from './stage';
import { circle, element, fade, group, path, shape } from './svg';

/** Draws the motif. */
export function drawSpace(stage: Stage): string {
  const { frame, light, defs, style } = stage;
  const random = stage.random.fork('space');
  const hue = random.between(200, 330);
  const tilt = random.between(-0.5, 0.5);
  const sky = defs.linear(0, 0, frame.width * 0.4, frame.height, [
    [0, mix(light.sky[0], '#000000', 0.25)],
    [0.55, light.sky[1]],
    [1, light.sky[0]],
  ]);
  const nebulae = along(frame, random.fork('nebulae'), 0.19 * Math.min(frame.width, 2 * frame.unit)).map(
    ({ x, random: own }) => {
      const slope = (tilt * (x - frame.centre)) / frame.width;
      const y = frame.height * (0.5 + slope + own.between(-0.22, 0.22));
      const colour = fromHue(0.5, style.name === 'dark' ? 0.11 : 0.16, hue + own.between(-42, 42));
      const stops = fade(colour, [0, 0.5], [0.5, 0.2], [1, 0]);
      const radius = frame.unit * own.between(0.22, 0.46);
      return cover(frame, defs.radial(x, y, radius, stops, own.between(0.5, 0.95)));
    },
  );
  const right = random.chance(0.5);
  const radius = Math.min(frame.width, frame.height) * random.between(0.26, 0.36);
  const planet: Planet = {
    label: 'planet',
    x: frame.width * (right ? 0.64 : 0.36),
    y: frame.height * random.between(0.5, 0.62),
    radius,
    hue: hue + random.between(90, 260),
    sunwards: (right ? 205 : -25) + random.between(-18, 18),
    rings: random.chance(0.55) || stage.words.has('saturn'),
  };
  const moon: Planet = {
    ...planet,
    label: 'moon',
    x: fromSide(frame, right ? 0 : 1, 0.2),
    y: frame.height * random.between(0.2, 0.34),
    radius: radius * random.between(0.13, 0.22),
    hue: hue + 60,
    rings: false,
  };
  return (
    cover(frame, sky) +
    (style.name === 'illustration' ? '' : nebulae.join('')) +
    drawStars(stage, frame.height * 1.06, 1.7) +
    drawPlanet(stage, moon) +
    drawPlanet(stage, planet)
  );
}

/** A planet; angles in degrees, `sunwards` points to the light, clockwise from the right. */
interface Planet {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly hue: number;
  readonly sunwards: number;
  readonly rings: boolean;
}

/** Draws a planet: banded, lit from one side, with air around it and perhaps rings. */
function drawPlanet(stage: Stage, planet: Planet): string {
  const { defs, style } = stage;
  const { x, y, radius, hue, sunwards, rings } = planet;
  const [cos, sin] = [Math.cos((sunwards * Math.PI) / 180), Math.sin((sunwards * Math.PI) / 180)];
  const body = fromHue(0.7, 0.1, hue);
  const disc = ellipse(x, y, radius);
  const bodyFill = defs.vertical(y - radius, y + radius, [
    [0, adjust(body, 1.12)],
    [1, mix(body, '#20103a', 0.25)],
  ]);
  const shadow = defs.radial(
    x + cos * radius * 0.75,
    y + sin * radius * 0.75,
    radius * 1.9,
    fade('#000010', [0, 0], [0.38, 0.08], [0.66, 0.62], [0.9, 0.93]),
  );
  const halo = defs.radial(
    x + cos * radius * 0.12,
    y + sin * radius * 0.12,
    radius * 1.32,
    fade(fromHue(0.8, 0.12, hue + 30), [0.7, 0.5], [0.82, 0.2], [1, 0]),
  );
  return (
    circle(x, y, radius * 1.5, halo) +
    (rings ? drawRings(stage, planet, -1) : '') +
    shape(disc, bodyFill, style.edge(stage)) +
    group({ 'clip-path': defs.clip(disc) }, drawBands(stage, planet)) +
    shape(disc, shadow) +
    (rings ? drawRings(stage, planet, 1) : '')
  );
}

function drawBands(stage: Stage, { label, x, y, radius, hue }: Planet): string {
  const random = stage.random.fork(`bands-${label}`);
  const noise = createNoise(random);
  const count = 7;
  let marks = '';
  for (let index = 0; index < count; index += 1) {
    const level = -0.86 + (1.72 * (index + random.between(-0.25, 0.25))) / count;
    const edge = (offset: number, shift: number): Point[] =>
      Array.from({ length: 9 }, (_, step) => {
        const t = step / 4 - 1;
        const bulge = radius * (0.05 * noise(t * 2.4 + shift) + 0.1 * (1 - t * t));
        return { x: x + t * radius * 1.02, y: y + level * radius + offset + bulge };
      });
    const lower = edge(random.between(0.05, 0.16) * radius, index * 7 + 3).reverse();
    const colour = fromHue(random.between(0.55, 0.8), 0.1, hue + random.between(-28, 28));
    marks += shape(outline(edge(0, index * 7), lower), colour, { 'fill-opacity': 0.55 });
  }
  return marks;
}

/** Rings from the planet outwards, in units of its radius. */
const RINGS = [
  { reach: 1.42, width: 0.042, opacity: 0.45 },
  { reach: 1.58, width: 0.084, opacity: 0.8 },
  { reach: 1.76, width: 0.049, opacity: 0.6 },
  { reach: 1.9, width: 0.018, opacity: 0.4 },
] as const;

/** The half of the rings behind the planet (-1) or in front of it (1). */
function drawRings({ defs }: Stage, { x, y, radius, hue }: Planet, half: 1 | -1): string {
  const rings = RINGS.map(({ reach, width, opacity }) =>
    element('ellipse', {
      cx: 0,
      cy: 0,
      rx: radius * reach,
      ry: radius * reach * 0.26,
      fill: 'none',
      stroke: fromHue(0.82, 0.06, hue + 25),
      'stroke-width': radius * width,
      'stroke-opacity': opacity,
    }),
  );
  const clip = defs.clip(box(-radius * 3, 0, radius * 6, half * radius * 3));
  return group(
    { transform: path`translate(${x} ${y}) rotate(-18)` },
    group({ 'clip-path': clip }, rings.join('')),
  );
}
