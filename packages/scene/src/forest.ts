/** A forest from outside or from inside, and trees with leaves. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { blade, drawFirRow, drawFirsAtSide, type Row, type TreeRow } from './conifers';
import { drawGround } from './land';
import type { Random } from './random';
import { along, cover, edgeOf, type Footing, lit, type Scene, thinned } from './scene';
import { drawLandscape, drawMist, drawStars, landscapeOf } from './sky';
import { box, createRoundStrokes, fade, type Point, path, shape } from './svg';

/** Draws the subject; without mountains in the words, the seed may choose the inside of a wood. */
export function drawForest(scene: Scene): string {
  const inside = scene.random.fork('forest').chance(0.5) && !scene.subjects.includes('mountains');
  return inside ? drawInsideOfWood(scene) : drawWoods(scene);
}

function drawWoods(scene: Scene): string {
  const { frame, mood, materials } = scene;
  const { random, horizon, depth, sun } = landscapeOf(scene, 'woods', 0.5, 0.58);
  const leafy = mood.season === 'autumn' || mood.season === 'spring' || random.chance(0.3);
  /** A row of trees; `level` is the share of the way from the horizon to the lower border. */
  const row = (index: number, distance: number, level: number): string => {
    const label = `row${index}`;
    const base = horizon + depth * level;
    const hill = { label, base, height: 0.3 - 0.03 * index, wave: 0.38, octaves: 3 };
    const land = { ...hill, colour: mix(materials.grass, materials.pine, 0.45), distance, mist: 0.75 };
    const { profile, marks } = drawGround(scene, land);
    const leaves = leafy && index % 2 === 1;
    const wood = { label, profile, distance, density: leaves ? 1.1 : 1.6 };
    const trees = leaves ? drawLeafRow(scene, wood) : drawFirRow(scene, wood, index < 2);
    const mist = drawMist(scene, base + frame.rise * 0.05, frame.rise * 0.2, 0.34 * distance + 0.08);
    return trees + marks + mist;
  };
  const tall = Math.min(frame.height * 0.92, frame.unit * 0.72);
  const floor = (): number => frame.height * 1.08;
  const far = backdropOf(scene, ['mountains']);
  return drawLandscape(scene, sun, [
    drawBackdrop(scene, far, horizon + frame.rise * 0.1, sun, 0.8),
    row(0, 0.74, 0.12),
    row(1, 0.54, 0.34),
    row(2, 0.36, 0.6),
    row(3, 0.18, 0.94),
    drawFirsAtSide(scene, -1, floor, tall, 4),
    drawFirsAtSide(scene, 1, floor, tall, 4),
  ]);
}

/** Rows of trunks from far to near: how far away, the mean distance of two in units, how high they stand. */
const TRUNK_ROWS = [
  [0.88, 0.04, 0.66],
  [0.68, 0.06, 0.735],
  [0.45, 0.1, 0.81],
  [0.2, 0.2, 0.905],
] as const;

function drawInsideOfWood(scene: Scene): string {
  const { frame, light, defs, materials } = scene;
  const { height, unit, width } = frame;
  const random = scene.random.fork('inside');
  const air = mix(light.sky[2], light.haze, 0.4);
  const green = lit(scene, materials.leaves[0], 0.35);
  const middle = mix(air, light.glow, 0.35);
  const back = defs.vertical(0, height, mix(air, green, 0.5), [0.45, middle], mix(air, green, 0.3));
  const halo = fade(light.glow, [0.4, light.night ? 0.16 : 0.45], [1, 0]);
  const [glowX, glowY] = [width * random.between(0.34, 0.66), height * random.between(0.36, 0.46)];
  const glow = defs.radial(glowX, glowY, unit * 0.55, [[0, light.sun, light.night ? 0.4 : 0.9], ...halo]);
  const rows = TRUNK_ROWS.map(([distance, spacing, level], index) => {
    const label = `wood${index}`;
    const hill = { label, base: height * level, height: 0.1, wave: 0.5, mist: 0.6 };
    const colour = mix(materials.grass, materials.bark, 0.25);
    const { profile, marks } = drawGround(scene, { ...hill, colour, distance: distance * 0.9 });
    const row = { label, profile, distance };
    return (
      (index > 0 ? drawCanopy(scene, label, height * (0.2 - 0.02 * index), distance) : '') +
      drawTrunks(scene, row, spacing) +
      marks +
      (index > 0 ? drawFerns(scene, row) : '') +
      drawMist(scene, height * (0.68 + 0.06 * index), height * 0.14, 0.42 * distance)
    );
  });
  const soil = { colour: mix(materials.grass, light.shade, 0.5), distance: 0 };
  const near = drawGround(scene, { label: 'near', base: height * 0.99, height: 0.2, wave: 0.4, ...soil });
  return (
    cover(frame, back) +
    (light.night ? drawStars(scene, height * 0.5, 0.5) : '') +
    cover(frame, glow) +
    rows.join('') +
    drawCanopy(scene, 'near', height * 0.13, 0.05) +
    near.marks +
    drawFerns(scene, { label: 'near', profile: near.profile, distance: 0.02 })
  );
}

/** Foliage: round masses in one colour, and lighter ones where the light falls. */
function createFoliage() {
  const body = createRoundStrokes();
  const bright = createRoundStrokes();
  return {
    body,
    bright,
    draw(scene: Scene, colour: string, weight: number): string {
      const { light } = scene;
      const lighter = mix(colour, light.glow, light.night ? 0.12 : 0.22);
      return body.draw(colour, edgeOf(scene, weight)) + bright.draw(lighter);
    },
  };
}

type Foliage = ReturnType<typeof createFoliage>;

/** Adds a round crown: five puffs about a middle one, lighter above. */
function addCrown({ body, bright }: Foliage, random: Random, { x, y }: Point, radius: number): void {
  for (let puff = 0; puff < 6; puff += 1) {
    const angle = (puff / 5) * 2 * Math.PI + random.between(-0.3, 0.3);
    const away = puff === 5 ? 0 : radius * 0.62;
    const [px, py] = [x + Math.cos(angle) * away, y + Math.sin(angle) * away * 0.85];
    const width = 2 * radius * (puff === 5 ? 0.85 : random.between(0.42, 0.62));
    body.add(width, path`M${px} ${py}h0`);
    if (py < y && puff < 5) bright.add(width * 0.58, path`M${px - width * 0.06} ${py - width * 0.1}h0`);
  }
}

/** Draws one tree with a round crown in a colour of the season; y is its foot. */
export function drawTree(scene: Scene, random: Random, { x, y, height }: Footing, distance: number): string {
  const { materials } = scene;
  const radius = height * random.between(0.3, 0.36);
  const crown = createFoliage();
  addCrown(crown, random, { x, y: y - height + radius }, radius);
  const [foot, neck] = [height * 0.035, height * 0.018];
  const trunk = path`M${x - foot} ${y}L${x - neck} ${y - height * 0.6}h${2 * neck}L${x + foot} ${y}Z`;
  const wood = shape(trunk, lit(scene, materials.bark, distance), edgeOf(scene, 0.6));
  return wood + crown.draw(scene, lit(scene, random.pick(materials.leaves), distance), 0.6);
}

/** Draws a row of round crowns along a skyline; a density of 1 lets them just touch. */
function drawLeafRow(scene: Scene, { label, profile, distance, density }: TreeRow): string {
  const { frame, materials } = scene;
  const random = scene.random.fork(`leaves-${label}`);
  const size = frame.unit * (0.05 - 0.034 * distance);
  const crowns = [createFoliage(), createFoliage(), createFoliage()] as const;
  const trunks = along(frame, random, thinned(frame, (1.8 * size) / density), 0.33).map(
    ({ x, random: own }) => {
      const radius = size * own.between(0.7, 1.25);
      const y = profile(x) - radius * own.between(0.5, 1);
      addCrown(own.pick(crowns), own, { x, y }, radius);
      return box(x - radius * 0.08, y, radius * 0.16, radius * 2.2);
    },
  );
  const drawn = crowns.map((crown, kind) =>
    crown.draw(scene, lit(scene, materials.leaves[kind] ?? materials.bark, distance), 0.4),
  );
  return shape(trunks.join(''), lit(scene, materials.bark, distance)) + drawn.join('');
}

/** Draws trunks that rise beyond the upper border, with a few bare branches; `spacing` is in units. */
function drawTrunks(scene: Scene, { label, profile, distance }: Row, spacing: number): string {
  const { frame, light, materials } = scene;
  const random = scene.random.fork(`trunks-${label}`);
  const thick = frame.unit * (0.034 - 0.027 * distance);
  // Branches have a path of their own: where outlines of opposite direction overlap, a shared one would show holes.
  let [trunks, sides, branches] = ['', '', ''];
  for (const { x, random: own } of along(frame, random, thinned(frame, spacing * frame.unit), 0.4)) {
    const half = (thick * own.between(0.6, 1.25)) / 2;
    const foot = profile(x) + half * 1.4;
    const lean = own.between(-0.025, 0.025) * frame.height;
    const [knee, bend, flare] = [foot - half * 9, foot - half * 3, half * 1.9];
    const left = path`M${x - flare} ${foot}Q${x - half} ${bend} ${x - half * 0.9} ${knee}`;
    const right = path`L${x + half * 0.9} ${knee}Q${x + half} ${bend} ${x + flare} ${foot}Z`;
    trunks += path`${left}L${x + lean - half * 0.55} -10h${half * 1.1}${right}`;
    sides += path`M${x + half * 0.15} ${foot}L${x + lean + half * 0.1} -10h${half * 0.45}${right}`;
    for (let branch = own.whole(1, 3); branch > 0; branch -= 1) {
      const level = own.between(0.12, 0.6);
      const at = x + lean * (1 - level);
      const long = frame.unit * (1.1 - distance * 0.7) * own.between(0.03, 0.075);
      const reach = own.chance(0.5) ? long : -long;
      const back = path`q${-reach * 0.55} ${long * 0.3} ${-reach} ${long * 0.6 - half}Z`;
      branches += path`M${at} ${foot * level + half * 0.5}q${reach * 0.5} ${-long * 0.1} ${reach} ${-long * 0.6}${back}`;
    }
  }
  const bark = lit(scene, mix(materials.bark, light.shade, 0.35 * (1 - distance)), distance);
  const edge = edgeOf(scene, 0.6);
  const shaded = shape(sides, light.shade, { 'fill-opacity': 0.22 * (1 - distance) });
  return shape(branches, bark, edge) + shape(trunks, bark, edge) + shaded;
}

/** Draws leaves that hang in from the upper border down to about `depth`. */
function drawCanopy(scene: Scene, label: string, depth: number, distance: number): string {
  const { frame, light, mood, materials } = scene;
  const random = scene.random.fork(`canopy-${label}`);
  const size = frame.unit * (0.062 - 0.03 * distance);
  const leaves = createFoliage();
  for (const { index, x, random: own } of along(frame, random, thinned(frame, size / 1.5))) {
    const swell = 0.55 + 0.45 * Math.sin((x - frame.centre) / (0.16 * frame.unit) + own.between(0, 0.8));
    const y = own.between(-0.2, 1) * depth * swell;
    const radius = size * own.between(0.5, 1);
    leaves.body.add(2 * radius, path`M${x} ${y - radius * 0.4}h0`);
    if (index % 3 === 0) leaves.bright.add(radius, path`M${x - radius * 0.2} ${y - radius * 0.5}h0`);
  }
  const green = mood.season === 'summer' || mood.season === undefined ? '#3f7548' : materials.leaves[0];
  const leaf = lit(scene, mix(green, light.shade, 0.25 * (1 - distance)), distance);
  return shape(box(-5, -20, frame.width + 10, 22), leaf) + leaves.draw(scene, leaf, 0.5);
}

/** Draws ferns along the ground of a wood. */
function drawFerns(scene: Scene, { label, profile, distance }: Row): string {
  const { frame, light, style, materials } = scene;
  const random = scene.random.fork(`ferns-${label}`);
  const tall = frame.unit * (0.085 - 0.06 * distance);
  const spacing = thinned(frame, Math.max(1.5 * tall, 0.07 * frame.unit));
  const ferns = along(frame, random, spacing, 0.5).map(({ x, random: own }) => {
    if (!own.chance(style.detail)) return '';
    const fronds = [-0.9, -0.5, -0.12, 0.3, 0.62, 1].map((lean) => {
      const rise = tall * (1.05 - 0.5 * Math.abs(lean)) * own.between(0.75, 1.1);
      return blade(x, profile(x) + tall * 0.1, rise, tall * lean * own.between(0.75, 1.1));
    });
    return fronds.join('');
  });
  const green = mix(materials.grass, light.shade, 0.3 * (1 - distance));
  return shape(ferns.join(''), lit(scene, green, distance), edgeOf(scene, 0.3));
}
