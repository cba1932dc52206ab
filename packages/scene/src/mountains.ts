/** Subjects of high land: mountains, and winter with firs and a cabin. */
import { drawBackdrop, drawRanges } from './backdrop';
import { mix } from './colour';
import { drawSnowyFirs, drawWoodedGround } from './conifers';
import { drawGround, type Ground } from './land';
import { drawCabin } from './landmarks';
import { materialsOf } from './palettes';
import { centresOf, type Scene } from './scene';
import { drawLandscape, drawMist, landscapeOf } from './sky';

/** Ranges behind ranges, wooded hills before them. */
export function drawMountains(scene: Scene): string {
  const { materials, light } = scene;
  const { horizon, depth, sun } = landscapeOf(scene, 'mountains', 0.66, 0.72);
  const layer = (label: string, drop: number, height: number, distance: number, colour: string): string => {
    const hill = { label, base: horizon + depth * drop, height, wave: 0.42, octaves: 3 };
    return drawWoodedGround(scene, { ...hill, colour, distance, density: 1 - distance * 0.3 }).marks;
  };
  return drawLandscape(scene, sun, [
    drawRanges(scene, horizon + depth * 0.12, sun.x),
    layer('foothills', 0.22, 0.24, 0.5, mix(materials.pine, materials.farGrass, 0.45)),
    drawMist(scene, horizon + depth * 0.36, depth * 0.3, 0.4),
    layer('woods', 0.52, 0.22, 0.24, mix(materials.pine, materials.grass, 0.3)),
    layer('near', 0.92, 0.24, 0, mix(materials.pine, light.shade, 0.35)),
  ]);
}

/** Snow on rolling ground, firs that carry it, a cabin with a light in the window. */
export function drawWinter(bare: Scene): string {
  const mood = { ...bare.mood, season: 'winter' } as const;
  const scene: Scene = { ...bare, mood, materials: materialsOf('winter') };
  const { frame, light } = scene;
  const { random, horizon, depth, sun, side } = landscapeOf(scene, 'winter', 0.52, 0.58);
  const ground = (label: string, level: number, distance: number): Ground => {
    const colour = mix('#eef4fb', light.sky[1], 0.06 + 0.1 * distance);
    const hill = { label, base: horizon + depth * level, height: 0.2, wave: 0.55 };
    return drawGround(scene, { ...hill, colour, distance: distance * 0.6, mist: 0.3 });
  };
  const far = ground('far', 0.16, 0.7);
  const middle = ground('middle', 0.42, 0.4);
  const near = ground('near', 0.86, 0.05);
  const cabins = centresOf(frame, random.fork('cabins')).map(
    ({ x, random: own }) => x + side * own.between(0.1, 0.22) * frame.span,
  );
  const firs = (label: string, { profile }: Ground, distance: number, spacing: number): string =>
    drawSnowyFirs(scene, { label, profile, distance, spacing, clear: cabins });
  const cabinAt = (x: number): string =>
    drawCabin(scene, { x, y: middle.profile(x) + frame.unit * 0.03, height: frame.unit * 0.1 });
  return drawLandscape(scene, sun, [
    drawBackdrop(scene, random.chance(0.65) ? 'mountains' : 'forest', horizon + depth * 0.06, sun, 0.72),
    far.marks,
    firs('far', far, 0.55, 0.04),
    drawMist(scene, horizon + depth * 0.22, depth * 0.14, 0.35),
    middle.marks,
    firs('middle', middle, 0.3, 0.07),
    cabins.map(cabinAt).join(''),
    near.marks,
    firs('near', near, 0.02, 0.15),
  ]);
}
