/** Draws the settings of scenes: landscapes from far to near, a room, and fields of colour. */
import { adjustColour, mixColours } from './colour';
import { composeFigures, tableEdge } from './figures';
import { drawHill, drawRange, drawTowers, drawWater } from './land';
import { type Landscape, landscapes } from './landscapes';
import { addFill, drawCover, type Scene } from './scene';
import { drawGlow, drawMist, drawSky, placeSun } from './sky';
import { joinRepeated, writeBox, writeCircle, writeShape } from './svg';

/** Draws the setting of a scene, without its subjects. */
export function drawSetting(scene: Scene): string {
  const { setting } = scene.parsedWords;
  return setting in landscapes
    ? drawLandscape(scene, landscapes[setting as keyof typeof landscapes])
    : drawRoom(scene);
}

function drawLandscape(scene: Scene, landscape: Landscape): string {
  const { frame, random, light, style } = scene;
  const horizon = frame.height * landscape.horizon * random.fork('horizon').between(0.88, 1.08);
  const sun = placeSun(scene, horizon);
  const far = drawFar(scene, landscape, horizon);
  const middle = landscape.hasWater
    ? drawWater(scene, horizon, sun.x, far)
    : far + drawMist(scene, horizon, (frame.height - horizon) * 0.14, 0.4);
  const veil = style.isFlat ? '' : drawGlow(scene, sun, 0.72 * frame.unit, light.isNight ? 0.1 : 0.22);
  return drawSky(scene, sun, horizon) + middle + drawGround(scene, landscape, horizon) + veil;
}

/** Draws mountains, hills or towers on the horizon; mountains if the words name them. */
function drawFar(scene: Scene, { far, hasWater }: Landscape, base: number): string {
  const { frame, random } = scene;
  const namesMountains = scene.parsedWords.backdrops.includes('mountains');
  const rise = frame.rise * random.fork('rise').between(0.8, 1.15);
  const kind = namesMountains ? 'mountains' : far && random.fork('far').pick(far);
  const tall = kind === 'towers' ? Math.min(frame.height * 0.62, rise * 1.75) : rise;
  const mist = drawMist(scene, base - rise * 0.1, rise * 0.27, 0.5);
  const bottom = hasWater ? base : frame.height;
  const look = { base, colour: '#4f7d5c', firs: 1.5 };
  const drawWood = (height: number, distance: number): string =>
    drawHill(scene, { ...look, label: `far${distance}`, height: height * rise, distance }, bottom);
  if (kind === 'hills') return drawWood(0.3, 0.84) + mist + drawWood(0.18, 0.6);
  if (kind === 'mountains') {
    const ranges = drawRange(scene, base, 0.75 * tall, 0.86) + drawRange(scene, base, tall, 0.5);
    return ranges + mist + drawWood(0.18, 0.48);
  }
  if (kind !== 'towers') return '';
  return [
    drawTowers(scene, base, tall, 0.062, 0.8),
    drawTowers(scene, base, 0.78 * tall, 0.078, 0.5),
    drawTowers(scene, base, 0.5 * tall, 0.1, 0.14),
  ].join(mist);
}

function drawGround(scene: Scene, { ground, hasWater, firs = 0 }: Landscape, horizon: number): string {
  const { frame, parsedWords } = scene;
  if (!ground) return '';
  const depth = frame.height - horizon;
  const [count, far, near] = ground;
  const begin = hasWater ? 0.74 : 0.14;
  return joinRepeated(count, (index) => {
    /** 0 at the farthest row, 1 at the nearest. */
    const nearness = count === 1 ? 1 : index / (count - 1);
    return drawHill(scene, {
      label: `row${index}`,
      base: horizon + depth * (begin + 0.92 * (1 - begin) * nearness ** 1.2),
      height: (0.3 - 0.1 * nearness) * frame.rise,
      distance: hasWater ? 0 : 0.03 + 0.6 * (1 - nearness) ** 1.3,
      colour: mixColours(far, near, nearness),
      // No firs stand before a subject.
      firs: nearness < 1 || parsedWords.figures.length === 0 ? firs : 0,
      hasSurf: index === 0 && parsedWords.setting === 'beach',
    });
  });
}

const pastels = ['#d9dcfb', '#c3ebdc', '#fbd5c8', '#d8e6c4', '#c1e8f2', '#f8e2b0', '#f5cfe0'] as const;
const nightBlue = '#0b0d1a';

/** Draws a wall with a disc behind the subject, and a floor or the wooden top of a table. */
function drawRoom(scene: Scene): string {
  const { frame, style, time, constant, parsedWords } = scene;
  const { width, height } = frame;
  const isTable = parsedWords.setting === 'table';
  const isDark = style.isDark || time === 'night';
  const wall = mixColours(constant.fork('wall').pick(pastels), nightBlue, isDark ? 0.86 : 0);
  const floor = isTable
    ? mixColours('#e0b083', nightBlue, isDark ? 0.8 : 0)
    : mixColours(wall, '#000000', 0.1);
  const top = height * (isTable ? tableEdge : 0.8);
  const aside = scene.random.fork('disc').between(-0.4, 0.4) * frame.span;
  const anywhere = { x: frame.centre + aside, y: 0.9 * height, size: 0.66 * height };
  const [{ x, y, size } = anywhere] = composeFigures(scene).toSorted((a, b) => b.size - a.size);
  const paleWall = mixColours(wall, '#ffffff', isDark ? 0.08 : 0.6);
  const disc = writeCircle({ x, y: y - size / 2 }, 0.62 * size, paleWall);
  const cover = drawCover(frame, addFill(scene, mixColours(wall, '#ffffff', isDark ? 0 : 0.2), wall));
  const isAbstract = parsedWords.setting === 'abstract';
  return (
    cover + (isAbstract ? drawFields(scene) : disc + writeShape(writeBox(0, top, width, height - top), floor))
  );
}

function drawFields({ frame, gradients, random: source, style }: Scene): string {
  const random = source.fork('fields');
  return joinRepeated(2 * pastels.length, (index) => {
    const tone = adjustColour(pastels[index % pastels.length] ?? '', style.isDark ? 0.4 : 0.95, 2.5);
    const middle = { x: random.next() * frame.width, y: random.next() * frame.height };
    return writeCircle(middle, 0.6 * frame.unit, gradients.addRadial([0, tone], [1, tone, 0]));
  });
}
