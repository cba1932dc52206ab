/** Draws the sky: its colours, stars, sun or moon, clouds, and the mist and weather over the land. */
import { drawCover, type Scene } from './scene';
import { joinRepeated, type Point, writeCircle, writePath, writeShape, writeStroke, writeTag } from './svg';

/** The height of the sun or the moon above the horizon, as a share of the height of the sky. */
const altitudes = { dawn: 0.26, day: 0.69, golden: 0.34, sunset: 0.17, dusk: 0.6, night: 0.64 };

/** Places the sun or the moon. */
export function placeSun({ frame, time, random }: Scene, horizon: number): Point {
  return { x: frame.width * random.fork('sun').between(0.12, 0.88), y: horizon * (1 - altitudes[time]) };
}

/** Draws the sky above a horizon. */
export function drawSky(scene: Scene, sun: Point, horizon: number): string {
  const { frame, light, style, gradients } = scene;
  const { weather } = scene.parsedWords;
  const { zenith, upper, lower, horizon: low } = light;
  const end = horizon / frame.height;
  const fade = gradients.addVertical([0, zenith], [0.42 * end, upper], [0.78 * end, lower], [end, low]);
  const isClear = weather === undefined || weather === 'cloudy';
  return (
    drawCover(frame, style.isBare ? low : fade) +
    (isClear && light.isNight ? drawStars(scene, horizon) : '') +
    (isClear ? drawSun(scene, sun) : '') +
    (style.isBare || weather === 'fog' ? '' : drawClouds(scene, horizon))
  );
}

function drawStars({ frame, random: source, parsedWords }: Scene, horizon: number): string {
  const random = source.fork('stars');
  const writeStar = () => writePath`M${random.next() * frame.width} ${random.next() ** 1.25 * horizon}h0`;
  const stars = joinRepeated((parsedWords.setting === 'stars' ? 400 : 160) * frame.breadth, writeStar);
  return writeStroke(stars, '#ffffff', 0.0022 * frame.unit, 0.7);
}

/** The crescent of the moon, in units of its radius. */
const crescent = 'M0 -1A1 1 0 1 1 0 1A.82 1.02 0 0 0 0 -1Z';

/** Draws the sun, or the moon by night, with a halo. */
function drawSun(scene: Scene, sun: Point): string {
  const { frame, light } = scene;
  const radius = 0.045 * frame.unit;
  const halo = drawGlow(scene, sun, 10 * radius, light.isNight ? 0.5 : 0.75);
  const transform = writePath`translate(${sun.x} ${sun.y}) rotate(-25) scale(${radius * 0.8})`;
  return (
    halo +
    (light.isNight ? writeShape(crescent, light.sun, { transform }) : writeCircle(sun, radius, light.sun))
  );
}

/** A cloud of five puffs on a flat base, in units of its length; the middle of the base is at 0. */
const cloud =
  'M-.5 0A.11 .11 0 0 1-.34-.11A.12 .12 0 0 1-.14-.2A.15 .15 0 0 1 .12-.18A.13 .13 0 0 1 .34-.1A.11 .11 0 0 1 .5 0z';

function drawClouds({ frame, light, style, gradients, parsedWords, random: source }: Scene, horizon: number) {
  const random = source.fork('clouds');
  const count = (parsedWords.weather ? 12 : random.between(3, 7) * (light.isNight ? 0.4 : 1)) * frame.breadth;
  const soft = gradients.addVertical([0, light.cloud], [0.6, light.cloud, 0.9], [1, light.cloud, 0.1]);
  const clouds = joinRepeated(count, () => {
    const level = random.between(0.1, 0.78);
    const length = frame.unit * random.between(0.2, 0.38) * (1.15 - 0.75 * level);
    // A cloud that the upper border cuts would look like a block.
    const y = Math.max(level * horizon, 0.5 * length);
    const transform = writePath`translate(${random.between(-0.05, 1.05) * frame.width} ${y}) scale(${length})`;
    return writeShape(cloud, style.isFlat ? light.cloud : soft, { transform });
  });
  return writeTag('g', { opacity: style.isDark ? 0.4 : 1 }, clouds);
}

/** Draws a soft bank of mist across the whole scene. */
export function drawMist({ frame, light, gradients }: Scene, y: number, thickness: number, opacity: number) {
  const fill = gradients.addVertical([0, light.haze, 0], [0.5, light.haze, opacity], [1, light.haze, 0]);
  return writeTag('rect', { y: y - thickness, width: frame.width, height: 2 * thickness, fill });
}

/** Draws the weather in front of everything else. */
export function drawWeather(scene: Scene): string {
  const { frame } = scene;
  const { weather } = scene.parsedWords;
  const random = scene.random.fork('weather');
  const writeDrops = (dx: number, dy: number): string =>
    joinRepeated(240 * frame.breadth, () => {
      const [x, y] = [random.between(0, 1.05) * frame.width, random.between(-0.05, 1) * frame.height];
      return writePath`M${x} ${y}l${dx * frame.unit} ${dy * frame.unit}`;
    });
  if (weather === 'fog') return drawMist(scene, frame.height * 0.62, frame.height * 0.3, 0.5);
  if (weather === 'snow') return writeStroke(writeDrops(0, 0), '#ffffff', 0.005 * frame.unit, 0.85);
  if (weather === 'rain') return writeStroke(writeDrops(-0.008, 0.036), '#e6eef6', 0.0014 * frame.unit, 0.34);
  return '';
}

/** Draws a soft round light, in flat styles as rings. @param strength opacity in the middle, 0 to 1 */
export function drawGlow(scene: Scene, middle: Point, radius: number, strength: number): string {
  const { style, light, gradients } = scene;
  const { glow } = light;
  if (style.isFlat)
    return joinRepeated(3, (index) =>
      writeCircle(middle, radius * (0.28 + 0.18 * index), glow, { opacity: 0.2 }),
    );
  const soft = gradients.addRadial([0, glow, strength], [0.25, glow, 0.4 * strength], [1, glow, 0]);
  return writeCircle(middle, radius, soft);
}
