/** The night sky over low hills: the Milky Way or northern lights, a lit tent, a shooting star. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawWoodedGround } from './conifers';
import type { Ground } from './land';
import { drawTent } from './landmarks';
import { createNoise } from './random';
import { centresOf, type Scene } from './scene';
import { drawLandscape, drawStars, glow, landscapeOf } from './sky';
import { fade, group, line, outline, type Point, path, repeat, shape } from './svg';
import { hasWord } from './words';

/** Draws the subject. */
export function drawNightSky(scene: Scene): string {
  const { frame, light, materials, time } = scene;
  const { random, horizon, sun, side } = landscapeOf(scene, 'night', 0.76, 0.82);
  const northern = hasWord(scene.words, 'aurora borealis polarlicht') || random.chance(0.4);
  const camp = hasWord(scene.words, 'camping campfire tent zelt') || random.chance(0.5);
  const kind = backdropOf(scene, ['mountains', 'city'], random.chance(0.5) ? 'mountains' : 'hills');
  const wood = (label: string, base: number, height: number, distance: number): Ground => {
    const hill = { label, base, height, wave: 0.5, octaves: 3, distance, density: 1.1 };
    return drawWoodedGround(scene, { ...hill, colour: mix(materials.pine, light.shade, 0.6) });
  };
  const far = wood('far', horizon + frame.height * 0.07, 0.16, 0.3);
  const near = wood('near', frame.height * 0.99, 0.2, 0.05);
  const tents = centresOf(frame, random).map(({ x: centre }) => {
    const x = centre + side * 0.19 * frame.span;
    return drawTent(scene, { x, y: near.profile(x) + frame.unit * 0.012, height: frame.unit * 0.075 });
  });
  // Green curtains belong to the deep night; dusk's warm sky has the Milky Way at most.
  const band = time === 'night' && northern ? drawAurora : drawMilkyWay;
  return drawLandscape(scene, sun, [
    light.night ? band(scene, horizon) + drawStars(scene, horizon, 1.1) : '',
    drawBackdrop(scene, kind, horizon + frame.height * 0.03, sun, 0.6),
    far.marks,
    near.marks,
    camp ? tents.join('') : '',
  ]);
}

/** Draws the Milky Way: a tilted band of light with dark lanes and a dust of stars, and a shooting star. */
function drawMilkyWay(scene: Scene, horizon: number): string {
  const { frame, defs, style } = scene;
  const random = scene.random.fork('milky-way');
  const tilt = (random.chance(0.5) ? 1 : -1) * random.between(38, 62);
  const x = frame.width * random.between(0.36, 0.64);
  const long = Math.hypot(Math.min(frame.width, 1.8 * frame.unit), horizon) * 0.62;
  const light = (colour: string, reach: number, squash: number, strength: number, away = 0): string => {
    const [x, y] = [random.between(-away, away) * long, random.between(-away, away) * 0.05 * long];
    return glow(scene, { x, y, radius: reach * long }, colour, strength, squash);
  };
  const dust = repeat(Math.round(300 * style.detail), () => {
    const distance = (random.next() + random.next() - 1) * long;
    return path`M${distance} ${(random.next() + random.next() + random.next() - 1.5) * long * 0.14}h0`;
  });
  const { accent, glow: pale, shade, sun } = scene.light;
  const band =
    light(pale, 1, 0.3, 0.36) +
    light(pale, 0.85, 0.13, 0.4) +
    light(sun, 0.3, 0.3, 0.36) +
    repeat(3, () => light(pale, 0.17, 0.42, 0.2, 0.6) + light(accent, 0.17, 0.42, 0.2, 0.6)) +
    repeat(3, () => light(shade, 0.27, 0.16, 0.24, 0.35)) +
    line(dust, '#ffffff', 0.0015 * frame.unit, { 'stroke-opacity': 0.75 });
  const start = { x: frame.width * random.between(0.15, 0.85), y: horizon * random.between(0.12, 0.4) };
  const tail = frame.unit * 0.12;
  const stops = fade('#ffffff', [0, 0], [1, 0.95]);
  const trail = defs.linear(start.x, start.y, start.x + tail, start.y + tail * 0.42, ...stops);
  return (
    group({ transform: path`translate(${x} ${horizon * 0.5}) rotate(${tilt})` }, band) +
    line(path`M${start.x} ${start.y}l${tail} ${tail * 0.42}`, trail, 0.002 * frame.unit)
  );
}

/** The colours of a curtain at its foot and at its top. */
const AURORA_COLOURS = ['#7dffc4 #4fd8e8', '#5cf2b8 #a886ff', '#8affa8 #56b8ff'] as const;

/** Draws northern lights: curtains whose feet wind across the sky and whose rays fade upwards. */
function drawAurora({ frame, defs, style, random: source }: Scene, horizon: number): string {
  const random = source.fork('aurora');
  const breadth = frame.width / frame.unit + 0.16;
  const steps = Math.min(160, Math.ceil(breadth / 0.06));
  return repeat(random.whole(2, 3), (index) => {
    const own = random.fork(index);
    const bends = createNoise(own, 2);
    const flicker = createNoise(own.fork('flicker'));
    const [low = '', high = ''] = own.pick(AURORA_COLOURS).split(' ');
    const base = horizon * (0.48 + 0.17 * index);
    const tall = horizon * own.between(0.34, 0.5);
    const strength = (style.name === 'illustration' ? 0.2 : 0.13) * (1 - 0.14 * index);
    const rays = fade(high, [0, 0], [0.3, strength * 0.1], [0.55, strength * 0.45]);
    const foot = fade(low, [0.82, strength], [1, strength * 0.5]);
    const fill = defs.vertical(base - tall, base + horizon * 0.14, ...rays, ...foot);
    /** An edge of a curtain at a height above its foot. */
    const edge = (height: (away: number) => number): Point[] =>
      Array.from({ length: steps + 1 }, (_, step) => {
        const away = (step / steps - 0.5) * breadth;
        const y = base + horizon * 0.2 * bends(away / 0.55) - height(away);
        return { x: frame.centre + away * frame.unit, y };
      });
    // Folds laid over one another make a soft edge without the cost of a blur.
    return repeat(5, (fold) => {
      const lower = edge(() => (0.5 - fold / 4) * 0.05 * horizon);
      const flame = (away: number): number => 0.84 + 0.3 * flicker(away * 4 + fold * 0.4);
      const upper = edge((away) => tall * (0.3 + 0.175 * fold) * flame(away)).reverse();
      return shape(outline(lower, upper), fill);
    });
  });
}
