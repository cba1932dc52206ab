/** A forest: rows of trees over rolling ground, or from inside, trunk behind trunk into the mist. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawFirRow, drawFirsAtSide } from './conifers';
import { cover } from './frame';
import { drawGround } from './land';
import { drawCanopy, drawFerns, drawLeafRow, drawTrunks } from './leaves';
import { drawStars } from './night';
import type { Random } from './random';
import { drawBloom, drawSky, placeSun } from './sky';
import { lit, type Stage } from './stage';
import { fade } from './svg';
import { drawMist } from './weather';

/** Draws the motif; without mountains in the words, the seed may choose the inside of a wood. */
export function drawForest(stage: Stage): string {
  const random = stage.random.fork('forest');
  const inside = random.chance(0.5) && !stage.motifs.includes('mountains');
  return inside ? drawInsideOfWood(stage) : drawWoods(stage, random);
}

function drawWoods(stage: Stage, random: Random): string {
  const { frame, mood, materials } = stage;
  const horizon = frame.height * random.between(0.5, 0.58);
  const sun = placeSun(stage, horizon);
  const leafy = mood.season === 'autumn' || mood.season === 'spring' || random.chance(0.3);
  /** A row of trees; `level` is the share of the way from the horizon to the lower border. */
  const row = (index: number, distance: number, level: number): string => {
    const label = `row${index}`;
    const base = horizon + (frame.height - horizon) * level;
    const hill = {
      base,
      height: frame.rise * (0.3 - 0.03 * index),
      wavelength: frame.unit * 0.38,
      octaves: 3,
    };
    const land = { ...hill, colour: mix(materials.grass, materials.pine, 0.45), distance, mist: 0.75 };
    const { profile, marks } = drawGround(stage, random.fork(label), land);
    const leaves = leafy && index % 2 === 1;
    const wood = { label, profile, distance, density: leaves ? 1.1 : 1.6 };
    const trees = leaves ? drawLeafRow(stage, wood) : drawFirRow(stage, wood, index < 2);
    const mist = drawMist(stage, base + frame.rise * 0.05, frame.rise * 0.2, 0.34 * distance + 0.08);
    return trees + marks + mist;
  };
  const tall = Math.min(frame.height * 0.92, frame.unit * 0.72);
  const floor = (): number => frame.height * 1.08;
  const far = backdropOf(stage, ['mountains'], undefined);
  return (
    drawSky(stage, sun) +
    drawBackdrop(stage, far, horizon + frame.rise * 0.1, sun, 0.8) +
    row(0, 0.74, 0.12) +
    row(1, 0.54, 0.34) +
    row(2, 0.36, 0.6) +
    row(3, 0.18, 0.94) +
    drawFirsAtSide(stage, 0, floor, tall, 4) +
    drawFirsAtSide(stage, 1, floor, tall, 4) +
    drawBloom(stage, sun)
  );
}

/** Rows of trunks from far to near: the mean distance of two of them in units, how high they stand. */
const TRUNK_ROWS = [
  { distance: 0.88, spacing: 0.04, level: 0.66 },
  { distance: 0.68, spacing: 0.06, level: 0.735 },
  { distance: 0.45, spacing: 0.1, level: 0.81 },
  { distance: 0.2, spacing: 0.2, level: 0.905 },
] as const;

function drawInsideOfWood(stage: Stage): string {
  const { frame, light, defs, materials } = stage;
  const { height, unit, rise } = frame;
  const random = stage.random.fork('inside');
  const glowX = frame.width * random.between(0.34, 0.66);
  const glowY = height * random.between(0.36, 0.46);
  const air = mix(light.sky[2], light.haze, 0.4);
  const green = lit(stage, materials.leaves[0], 0.35);
  const [upper, lower] = [mix(air, green, 0.5), mix(air, green, 0.3)];
  const back = defs.vertical(0, height, upper, [0.45, mix(air, light.glow, 0.35)], lower);
  const halo = fade(light.glow, [0.4, light.night ? 0.16 : 0.45], [1, 0]);
  const glow = defs.radial(glowX, glowY, unit * 0.55, [[0, light.sun, light.night ? 0.4 : 0.9], ...halo]);
  const rows = TRUNK_ROWS.map(({ distance, spacing, level }, index) => {
    const label = `wood${index}`;
    const hill = { base: height * level, height: rise * 0.1, wavelength: unit * 0.5 };
    const land = { ...hill, colour: mix(materials.grass, materials.bark, 0.25), distance: distance * 0.9 };
    const { profile, marks } = drawGround(stage, random.fork(label), { ...land, mist: 0.6 });
    const row = { label, profile, distance };
    return (
      (index > 0 ? drawCanopy(stage, label, height * (0.2 - 0.02 * index), distance) : '') +
      drawTrunks(stage, row, spacing) +
      marks +
      (index > 0 ? drawFerns(stage, row) : '') +
      drawMist(stage, height * (0.68 + 0.06 * index), height * 0.14, 0.42 * distance)
    );
  });
  const hill = { base: height * 0.99, height: height * 0.06, wavelength: unit * 0.4 };
  const soil = { colour: mix(materials.grass, light.shade, 0.5), distance: 0 };
  const near = drawGround(stage, random.fork('near'), { ...hill, ...soil });
  return (
    cover(frame, back) +
    (light.night ? drawStars(stage, height * 0.5, 0.5) : '') +
    cover(frame, glow) +
    rows.join('') +
    drawCanopy(stage, 'near', height * 0.13, 0.05) +
    near.marks +
    drawFerns(stage, { label: 'near', profile: near.profile, distance: 0.02 })
  );
}
