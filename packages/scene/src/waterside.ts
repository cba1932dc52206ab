/** The motifs by the water: lake, sea and beach. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawForeground } from './conifers';
import { fromSide, type Side, sectionsOf } from './frame';
import { drawHeadland, hills, landBelow, type Profile } from './land';
import { drawLighthouse, drawPalm, drawSailboat } from './landmarks';
import { drawBloom, drawSky, landscapeOf } from './sky';
import { lit, names, type Stage, type Sun } from './stage';
import { group, shape } from './svg';
import { drawSurf, drawSwell, drawWater } from './water';

/** Still water that mirrors what stands at its far end, firs close to the viewer. */
export function drawLake(stage: Stage): string {
  const { random, horizon, sun } = landscapeOf(stage, 'lake', 0.56, 0.61);
  const otherwise = random.chance(0.6) ? 'mountains' : 'forest';
  const kind = backdropOf(stage, ['mountains', 'city', 'forest'], otherwise);
  return (
    drawSky(stage, sun) +
    group({ id: 'far' }, drawBackdrop(stage, kind, horizon, sun)) +
    drawWater(stage, { top: horizon, sun, waves: 0.12, mirrored: 'far' }) +
    drawForeground(stage, random, stage.frame.height * 0.07, sun) +
    drawBloom(stage, sun)
  );
}

/** The side away from the light. */
const awayFrom = ({ frame }: Stage, { x }: Sun): Side => (x > frame.centre ? 0 : 1);

/** Sailing boats: one beside the light's path, and one in every other part of a panorama. */
function drawBoats(stage: Stage, sun: Sun, share: number, y: number, height: number): string {
  const { frame, random } = stage;
  const reach = share * Math.min(frame.width, 1.5 * frame.unit);
  const beside = sun.x + (awayFrom(stage, sun) === 0 ? -reach : reach);
  const spots = sectionsOf(frame, random.fork('boats')).map(({ at, random: own }) =>
    at(own.between(0.25, 0.75)),
  );
  const boats = spots.map((x, index) => {
    const nearest = spots.every((other) => Math.abs(other - beside) >= Math.abs(x - beside));
    if (nearest) return drawSailboat(stage, { x: beside, y, height });
    return drawSailboat(stage, { x, y, height: height * (0.7 + 0.1 * (index % 3)) });
  });
  return boats.join('');
}

/** The open sea, with capes, sails, and a lighthouse where the words or the seed want one. */
export function drawSea(stage: Stage): string {
  const { frame } = stage;
  const { random, horizon, sun } = landscapeOf(stage, 'sea', 0.52, 0.6);
  const tower = names(stage, 'lighthouse leuchtturm phare faro') || random.chance(0.3);
  const side = awayFrom(stage, sun);
  const far = { label: 'far-cape', horizon, side, reach: 0.42, height: 0.3, distance: 0.78 };
  const near = { label: 'cape', side, reach: 0.26, height: 0.34, distance: 0.45 };
  const cape = drawHeadland(stage, { ...near, horizon: horizon + frame.height * 0.012 });
  const x = fromSide(frame, side, 0.085);
  const standing = { x, y: cape.profile(x) + frame.rise * 0.01, height: frame.rise * 0.36 };
  return (
    drawSky(stage, sun) +
    drawBackdrop(stage, backdropOf(stage, ['mountains', 'city'], undefined), horizon, sun, 0.55) +
    drawHeadland(stage, far).marks +
    drawWater(stage, { top: horizon, sun, waves: 0.8 }) +
    (tower ? drawLighthouse(stage, standing) : '') +
    cape.marks +
    drawBoats(stage, sun, 0.16, horizon + frame.height * 0.06, frame.unit * 0.1) +
    drawSwell(stage, horizon) +
    drawBloom(stage, sun)
  );
}

/** A beach: sand in front, surf across, palms. */
export function drawBeach(stage: Stage): string {
  const { frame, light, materials, defs } = stage;
  const { random, horizon, depth, sun } = landscapeOf(stage, 'beach', 0.46, 0.53);
  const side = awayFrom(stage, sun);
  const lean = (side === 0 ? -1 : 1) * random.between(0.1, 0.2) * depth;
  const swell = { base: 0, height: depth * 0.16, wavelength: frame.unit * 0.5 };
  const swing = hills(random.fork('shore'), frame, swell);
  // The sand rises towards the side where the palm stands.
  const shore: Profile = (x) =>
    horizon + depth * 0.66 + swing(x) - (lean * 2 * (x - frame.centre)) / frame.width;
  const damp = landBelow(shore, frame);
  const dry = landBelow((x) => shore(x) + depth * 0.03, frame);
  const sand = lit(stage, materials.sand);
  const [back, front] = [mix(sand, light.haze, 0.25), mix(sand, light.shade, 0.22)];
  const palmHeight = Math.min(frame.height * 0.66, frame.unit * 0.55);
  const palmAt = (x: number, scale: number): string => {
    const standing = { x, y: shore(x) + depth * 0.2, height: palmHeight * scale };
    return drawPalm(stage, standing, x > sun.x ? -1 : 1);
  };
  const sections = sectionsOf(frame, random.fork('palms'));
  const palms = (sections.length > 1 ? sections : [])
    .map(({ at, random: own }) => ({ x: at(own.between(0.15, 0.85)), scale: own.between(0.7, 0.95) }))
    .filter(({ x }) => Math.abs(x - sun.x) > 0.5 * frame.unit);
  return (
    drawSky(stage, sun) +
    drawBackdrop(stage, backdropOf(stage, ['mountains', 'city'], undefined), horizon, sun, 0.5) +
    drawHeadland(stage, { label: 'cape', horizon, side, reach: 0.5, height: 0.24, distance: 0.7 }).marks +
    drawWater(stage, { top: horizon, sun, waves: 0.5 }) +
    drawBoats(stage, sun, 0.2, horizon + depth * 0.07, frame.unit * 0.06) +
    drawSurf(stage, shore, depth) +
    shape(damp.path, mix(sand, light.shade, 0.3)) +
    shape(dry.path, defs.vertical(damp.top, frame.height, back, [0.45, sand], front)) +
    palms.map(({ x, scale }) => palmAt(x, scale)).join('') +
    palmAt(fromSide(frame, side, 0.12), 1) +
    drawBloom(stage, sun)
  );
}
