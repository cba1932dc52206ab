/** The motifs of high land: mountains, and winter with firs and a cabin. */
import { drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawFirRow, drawSnowyFirs } from './conifers';
import { sectionsOf } from './frame';
import { drawGround, type Ground } from './land';
import { drawCabin } from './landmarks';
import { materialsOf } from './palettes';
import { drawRanges } from './ranges';
import { drawBloom, drawSky, landscapeOf } from './sky';
import type { Stage } from './stage';
import { drawMist } from './weather';

/** Ranges behind ranges, wooded hills before them. */
export function drawMountains(stage: Stage): string {
  const { frame, materials, light } = stage;
  const { random, horizon, depth, sun } = landscapeOf(stage, 'mountains', 0.66, 0.72);
  const layer = (label: string, drop: number, height: number, distance: number, colour: string): string => {
    const hill = { base: horizon + depth * drop, height: frame.rise * height, wavelength: frame.unit * 0.42 };
    const land = { ...hill, octaves: 3, colour, distance };
    const { profile, marks } = drawGround(stage, random.fork(label), land);
    return drawFirRow(stage, { label, profile, distance, density: 1 - distance * 0.3 }, true) + marks;
  };
  return (
    drawSky(stage, sun) +
    drawRanges(stage, horizon + depth * 0.12, sun.x) +
    layer('foothills', 0.22, 0.24, 0.5, mix(materials.pine, materials.farGrass, 0.45)) +
    drawMist(stage, horizon + depth * 0.36, depth * 0.3, 0.4) +
    layer('woods', 0.52, 0.22, 0.24, mix(materials.pine, materials.grass, 0.3)) +
    layer('near', 0.92, 0.24, 0, mix(materials.pine, light.shade, 0.35)) +
    drawBloom(stage, sun)
  );
}

/** Snow on rolling ground, firs that carry it, a cabin with a light in the window. */
export function drawWinter(bare: Stage): string {
  const mood = { ...bare.mood, season: 'winter' } as const;
  const stage: Stage = { ...bare, mood, materials: materialsOf('winter') };
  const { frame, light } = stage;
  const { random, horizon, depth, sun } = landscapeOf(stage, 'winter', 0.52, 0.58);
  const ground = (label: string, level: number, distance: number): Ground => {
    const hill = { base: horizon + depth * level, height: frame.rise * 0.2, wavelength: frame.unit * 0.55 };
    const colour = mix('#eef4fb', light.sky[1], 0.06 + 0.1 * distance);
    return drawGround(stage, random.fork(label), { ...hill, colour, distance: distance * 0.6, mist: 0.3 });
  };
  const far = ground('far', 0.16, 0.7);
  const middle = ground('middle', 0.42, 0.4);
  const near = ground('near', 0.86, 0.05);
  const cabins = sectionsOf(frame, random.fork('cabins')).map(({ at, random: own }) => {
    const share = own.between(0.28, 0.4);
    return at(sun.x > at(0.5) ? share : 1 - share);
  });
  const kind = random.chance(0.65) ? 'mountains' : 'forest';
  const cabinAt = (x: number): string =>
    drawCabin(stage, { x, y: middle.profile(x) + frame.unit * 0.03, height: frame.unit * 0.1 });
  return (
    drawSky(stage, sun) +
    drawBackdrop(stage, kind, horizon + depth * 0.06, sun, 0.72) +
    far.marks +
    drawSnowyFirs(stage, { label: 'far', profile: far.profile, distance: 0.55, spacing: 0.04 }) +
    drawMist(stage, horizon + depth * 0.22, depth * 0.14, 0.35) +
    middle.marks +
    drawSnowyFirs(stage, { label: 'middle', profile: middle.profile, distance: 0.3, spacing: 0.07 }, cabins) +
    cabins.map(cabinAt).join('') +
    near.marks +
    drawSnowyFirs(stage, { label: 'near', profile: near.profile, distance: 0.02, spacing: 0.15 }, cabins) +
    drawBloom(stage, sun)
  );
}
