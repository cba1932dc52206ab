/** The motifs by the water: lake, sea and beach. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawForeground } from './conifers';
import { fromSide, type Side, sectionsOf } from './frame';
import { drawHeadland, hills, landBelow, type Profile } from './land';
import { drawLighthouse, drawPalm, drawSailboat } from './landmarks';
import { drawBloom, drawSky, placeSun } from './sky';
import { lit, names, type Stage, type Sun } from './stage';
import { group, shape } from './svg';
import { drawSurf, drawSwell, drawWater, waterUnder } from './water';
import { drawBirds } from './weather';

/** Still water that mirrors what stands at its far end, firs close to the viewer. */
export function drawLake(stage: Stage): string {
  const { frame } = stage;
  const random = stage.random.fork('lake');
  const horizon = frame.height * random.between(0.56, 0.61);
  const sun = placeSun(stage, horizon);
  const otherwise = random.chance(0.6) ? 'mountains' : 'forest';
  const kind = backdropOf(stage, ['mountains', 'city', 'forest'], otherwise);
  const near = hills(random.fork('near'), frame, {
    base: frame.height,
    height: frame.height * 0.07,
    wavelength: frame.unit * 0.5,
    octaves: 3,
  });
  return (
    drawSky(stage, sun) +
    group({ id: 'far' }, drawBackdrop(stage, kind, horizon, sun)) +
    drawWater(stage, { ...waterUnder(stage, horizon, sun, 0.12), mirrored: 'far' }) +
    drawForeground(stage, near, sun.x) +
    drawBloom(stage, sun)
  );
}

/** The side away from the light. */
const awayFrom = ({ frame }: Stage, { x }: Sun): Side => (x > frame.centre ? 0 : 1);

/** Sailing boats: one near the light's path, and one in every other part of a panorama. */
function drawBoats(stage: Stage, beside: number, y: number, height: number): string {
  const { frame, random } = stage;
  return sectionsOf(frame, random.fork('boats'))
    .map(({ at, random: own }) => at(own.between(0.25, 0.75)))
    .map((x, index, all) => {
      const nearest = all.every((other) => Math.abs(other - beside) >= Math.abs(x - beside));
      return drawSailboat(stage, {
        x: nearest ? beside : x,
        y,
        height: height * (nearest ? 1 : 0.7 + 0.1 * (index % 3)),
      });
    })
    .join('');
}

/** The open sea, with capes, sails, and a lighthouse where the words or the seed want one. */
export function drawSea(stage: Stage): string {
  const { frame } = stage;
  const random = stage.random.fork('sea');
  const horizon = frame.height * random.between(0.52, 0.6);
  const sun = placeSun(stage, horizon);
  const kind = backdropOf(stage, ['mountains', 'city'], 'hills');
  const tower = names(stage, 'lighthouse leuchtturm phare faro') || random.chance(0.3);
  const side = awayFrom(stage, sun);
  const far = { label: 'far-cape', horizon, side, reach: 0.42, height: 0.3, distance: 0.78 };
  const shore = horizon + frame.height * 0.012;
  const cape = drawHeadland(stage, {
    label: 'cape',
    horizon: shore,
    side,
    reach: 0.26,
    height: 0.34,
    distance: 0.45,
  });
  const towerX = fromSide(frame, side, 0.085);
  const towerY = cape.profile(towerX) + frame.rise * 0.01;
  const beside = sun.x + (side === 0 ? -0.16 : 0.16) * Math.min(frame.width, 1.5 * frame.unit);
  return (
    drawSky(stage, sun) +
    (kind === 'hills' ? '' : drawBackdrop(stage, kind, horizon, sun, 0.55)) +
    drawHeadland(stage, far).marks +
    drawWater(stage, waterUnder(stage, horizon, sun, 0.8)) +
    (tower ? drawLighthouse(stage, { x: towerX, y: towerY, height: frame.rise * 0.36 }) : '') +
    cape.marks +
    drawBoats(stage, beside, horizon + frame.height * 0.06, frame.unit * 0.1) +
    drawSwell(stage, horizon) +
    drawBirds(stage, horizon) +
    drawBloom(stage, sun)
  );
}

/** A beach: sand in front, surf across, palms. */
export function drawBeach(stage: Stage): string {
  const { frame, light, materials, defs } = stage;
  const random = stage.random.fork('beach');
  const horizon = frame.height * random.between(0.46, 0.53);
  const depth = frame.height - horizon;
  const sun = placeSun(stage, horizon);
  const side = awayFrom(stage, sun);
  const lean = (side === 0 ? -1 : 1) * random.between(0.1, 0.2) * depth;
  const swing = hills(random.fork('shore'), frame, {
    base: 0,
    height: depth * 0.16,
    wavelength: frame.unit * 0.5,
  });
  // The sand rises towards the side where the palm stands.
  const shore: Profile = (x) =>
    horizon + depth * 0.66 + swing(x) - (lean * 2 * (x - frame.centre)) / frame.width;
  const damp = landBelow(shore, frame, frame.height + 5);
  const dry = landBelow((x) => shore(x) + depth * 0.03, frame, frame.height + 5);
  const sand = lit(stage, materials.sand);
  const fill = defs.vertical(damp.top, frame.height, [
    [0, mix(sand, light.haze, 0.25)],
    [0.45, sand],
    [1, mix(sand, light.shade, 0.22)],
  ]);
  const palmHeight = Math.min(frame.height * 0.66, frame.unit * 0.55);
  const palmAt = (x: number, scale: number): string => {
    const leaning = x > sun.x ? -1 : 1;
    return drawPalm(stage, { x, y: shore(x) + depth * 0.2, height: palmHeight * scale }, leaning);
  };
  const sections = sectionsOf(frame, random.fork('palms'));
  const palms = (sections.length > 1 ? sections : [])
    .map(({ at, random: own }) => ({ x: at(own.between(0.15, 0.85)), scale: own.between(0.7, 0.95) }))
    .filter(({ x }) => Math.abs(x - sun.x) > 0.5 * frame.unit);
  const kind = backdropOf(stage, ['mountains', 'city'], 'hills');
  const beside = sun.x + (side === 0 ? -0.2 : 0.2) * Math.min(frame.width, 1.5 * frame.unit);
  return (
    drawSky(stage, sun) +
    (kind === 'hills' ? '' : drawBackdrop(stage, kind, horizon, sun, 0.5)) +
    drawHeadland(stage, { label: 'cape', horizon, side, reach: 0.5, height: 0.24, distance: 0.7 }).marks +
    drawWater(stage, waterUnder(stage, horizon, sun, 0.5)) +
    drawBoats(stage, beside, horizon + depth * 0.07, frame.unit * 0.06) +
    drawSurf(stage, shore, depth) +
    shape(damp.path, mix(sand, light.shade, 0.3)) +
    shape(dry.path, fill) +
    palms.map(({ x, scale }) => palmAt(x, scale)).join('') +
    palmAt(fromSide(frame, side, 0.12), 1) +
    drawBirds(stage, horizon) +
    drawBloom(stage, sun)
  );
}
