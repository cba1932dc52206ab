/** Space: a great planet lit from one side, a moon, nebulae and stars. */
import { adjust, fromHue, mix } from './colour';
import { createNoise } from './random';
import { along, cover, edgeOf, fromSide, type Scene } from './scene';
import { drawStars, glow } from './sky';
import { box, circle, ellipse, fade, group, outline, type Point, path, repeat, shape } from './svg';

/** Draws the subject. */
export function drawSpace(scene: Scene): string {
  const { frame, light, defs, style } = scene;
  const random = scene.random.fork('space');
  const hue = random.between(200, 330);
  const tilt = random.between(-0.5, 0.5);
  const zenith = mix(light.sky[0], '#000000', 0.25);
  const sky = defs.linear(0, 0, frame.width * 0.4, frame.height, zenith, [0.55, light.sky[1]], light.sky[0]);
  const spacing = 0.19 * Math.min(frame.width, 2 * frame.unit);
  const nebulae = along(frame, random.fork('nebulae'), spacing).map(({ x, random: own }) => {
    const y = frame.height * (0.5 + (tilt * (x - frame.centre)) / frame.width + own.between(-0.22, 0.22));
    const colour = fromHue(0.5, style.name === 'dark' ? 0.11 : 0.16, hue + own.between(-42, 42));
    const radius = frame.unit * own.between(0.22, 0.46);
    return glow(scene, { x, y, radius }, colour, 0.55, own.between(0.5, 0.95));
  });
  const side = random.chance(0.5) ? 1 : -1;
  const radius = Math.min(frame.width, frame.height) * random.between(0.26, 0.36);
  const sunwards = (side === 1 ? 205 : -25) + random.between(-18, 18);
  const planet = {
    x: frame.centre + side * 0.14 * frame.width,
    y: frame.height * random.between(0.5, 0.62),
    hue: hue + random.between(90, 260),
    ...{ radius, sunwards, rings: random.chance(0.55) || scene.words.has('saturn') },
  };
  const moon = {
    x: fromSide(frame, side === 1 ? -1 : 1, 0.2),
    y: frame.height * random.between(0.2, 0.34),
    hue: hue + 60,
    ...{ radius: radius * random.between(0.13, 0.22), sunwards, rings: false },
  };
  return (
    cover(frame, sky) +
    (style.name === 'illustration' ? '' : nebulae.join('')) +
    drawStars(scene, frame.height * 1.06, 1.7) +
    drawPlanet(scene, moon) +
    drawPlanet(scene, planet)
  );
}

/** A planet; angles in degrees, `sunwards` points to the light, clockwise from the right. */
type Planet = Record<'x' | 'y' | 'radius' | 'hue' | 'sunwards', number> & { readonly rings: boolean };

/** Draws a planet: banded, lit from one side, with air around it and perhaps rings. */
function drawPlanet(scene: Scene, planet: Planet): string {
  const { defs } = scene;
  const { x, y, radius, hue, sunwards, rings } = planet;
  const angle = (sunwards * Math.PI) / 180;
  const body = fromHue(0.7, 0.1, hue);
  const disc = ellipse(x, y, radius);
  const fill = defs.vertical(y - radius, y + radius, adjust(body, 1.12), mix(body, '#20103a', 0.25));
  /** A fill around a point that lies towards the sun; lengths in units of the radius. */
  const sunlit = (away: number, reach: number, ...stops: Parameters<typeof fade>): string => {
    const [sunX, sunY] = [x + Math.cos(angle) * radius * away, y + Math.sin(angle) * radius * away];
    return defs.radial(sunX, sunY, radius * reach, fade(...stops));
  };
  const shadow = sunlit(0.75, 1.9, '#000010', [0, 0], [0.38, 0.08], [0.66, 0.62], [0.9, 0.93]);
  const halo = sunlit(0.12, 1.32, fromHue(0.8, 0.12, hue + 30), [0.7, 0.5], [0.82, 0.2], [1, 0]);
  return (
    circle(x, y, radius * 1.5, halo) +
    (rings ? drawRings(scene, planet, -1) : '') +
    shape(disc, fill, edgeOf(scene)) +
    group({ 'clip-path': defs.clip(disc) }, drawBands(scene, planet)) +
    shape(disc, shadow) +
    (rings ? drawRings(scene, planet, 1) : '')
  );
}

function drawBands(scene: Scene, { x, y, radius, hue }: Planet): string {
  const random = scene.random.fork(`bands${Math.round(radius)}`);
  const noise = createNoise(random);
  return repeat(7, (index) => {
    const level = -0.86 + (1.72 * (index + random.between(-0.25, 0.25))) / 7;
    const edge = (offset: number, shift: number): Point[] =>
      Array.from({ length: 9 }, (_, step) => {
        const t = step / 4 - 1;
        const bulge = 0.05 * noise(t * 2.4 + shift) + 0.1 * (1 - t * t);
        return { x: x + t * radius * 1.02, y: y + radius * (level + offset + bulge) };
      });
    const lower = edge(random.between(0.05, 0.16), index * 7 + 3).reverse();
    const colour = fromHue(random.between(0.55, 0.8), 0.1, hue + random.between(-28, 28));
    return shape(outline(edge(0, index * 7), lower), colour, { 'fill-opacity': 0.55 });
  });
}

/** Rings, in units of the planet's radius: how far out, how broad, how opaque. */
const RINGS = [
  [1.42, 0.042, 0.45],
  [1.58, 0.084, 0.8],
  [1.76, 0.049, 0.6],
  [1.9, 0.018, 0.4],
] as const;

/** The half of the rings behind the planet (-1) or in front of it (1). */
function drawRings({ defs }: Scene, { x, y, radius, hue }: Planet, half: 1 | -1): string {
  const stroke = fromHue(0.82, 0.06, hue + 25);
  const rings = RINGS.map(([reach, width, opacity]) => {
    const data = ellipse(0, 0, radius * reach, radius * reach * 0.26);
    return shape(data, 'none', { stroke, 'stroke-width': radius * width, 'stroke-opacity': opacity });
  });
  const clip = defs.clip(box(-radius * 3, 0, radius * 6, half * radius * 3));
  const transform = path`translate(${x} ${y}) rotate(-18)`;
  return group({ transform }, group({ 'clip-path': clip }, rings.join('')));
}
