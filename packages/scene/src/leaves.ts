/** Trees with leaves, and what grows inside a wood: crowns, trunks, a canopy overhead, ferns. */
import { mix } from './colour';
import type { TreeRow } from './conifers';
import { along, thinned } from './frame';
import type { Random } from './random';
import { lit, type Stage, type Standing } from './stage';
import { type Attributes, box, createRoundStrokes, type Point, path, shape } from './svg';

/** Foliage: round masses in one colour, and lighter ones where the light falls. */
function createFoliage() {
  const body = createRoundStrokes();
  const bright = createRoundStrokes();
  return {
    body,
    bright,
    draw: ({ light }: Stage, colour: string, edge: Attributes, [day, night]: readonly [number, number]) =>
      body.draw(colour, edge) + bright.draw(mix(colour, light.glow, light.night ? night : day)),
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
export function drawTree(stage: Stage, random: Random, { x, y, height }: Standing, distance: number): string {
  const { style, materials } = stage;
  const radius = height * random.between(0.3, 0.36);
  const crown = createFoliage();
  addCrown(crown, random, { x, y: y - height + radius }, radius);
  const edge = style.edge(stage, 0.6);
  const [foot, neck] = [height * 0.035, height * 0.018];
  const trunk = path`M${x - foot} ${y}L${x - neck} ${y - height * 0.6}h${2 * neck}L${x + foot} ${y}Z`;
  const colour = lit(stage, random.pick(materials.leaves), distance);
  return (
    shape(trunk, lit(stage, materials.bark, distance), edge) + crown.draw(stage, colour, edge, [0.24, 0.16])
  );
}

/** Draws a row of round crowns along a skyline; `density` 1 lets them just touch. */
export function drawLeafRow(stage: Stage, { label, profile, distance, density }: TreeRow): string {
  const { frame, style, materials } = stage;
  const random = stage.random.fork(`leaves-${label}`);
  const size = frame.unit * (0.05 - 0.034 * distance);
  const kinds = [createFoliage(), createFoliage(), createFoliage()] as const;
  const trunks = along(frame, random, thinned(frame, (1.8 * size) / density), 0.33).map(
    ({ x, random: own }) => {
      const radius = size * own.between(0.7, 1.25);
      const y = profile(x) - radius * own.between(0.5, 1);
      addCrown(own.pick(kinds), own, { x, y }, radius);
      return box(x - radius * 0.08, y, radius * 0.16, radius * 2.2);
    },
  );
  const edge = style.edge(stage, 0.4);
  const crowns = kinds.map((kind, index) => {
    const colour = lit(stage, materials.leaves[index] ?? materials.leaves[0], distance);
    return kind.draw(stage, colour, edge, [0.2, 0.1]);
  });
  return shape(trunks.join(''), lit(stage, materials.bark, distance)) + crowns.join('');
}

/** A row of a wood seen from inside: its name, its ground, how far away it is. */
export type WoodRow = Omit<TreeRow, 'density'>;

/** Draws trunks that rise beyond the upper border, with a few bare branches; `spacing` is in units. */
export function drawTrunks(stage: Stage, { label, profile, distance }: WoodRow, spacing: number): string {
  const { frame, light, style, materials } = stage;
  const random = stage.random.fork(`trunks-${label}`);
  const thick = frame.unit * (0.034 - 0.027 * distance);
  const top = -10;
  let trunks = '';
  let sides = '';
  // In a path of their own: where outlines of opposite direction overlap, a shared path would show holes.
  let branches = '';
  for (const { x, random: own } of along(frame, random, thinned(frame, spacing * frame.unit), 0.4)) {
    const half = (thick * own.between(0.6, 1.25)) / 2;
    const foot = profile(x) + half * 1.4;
    const lean = own.between(-0.025, 0.025) * frame.height;
    const [knee, bend, flare] = [foot - half * 9, foot - half * 3, half * 1.9];
    const left = path`M${x - flare} ${foot}Q${x - half} ${bend} ${x - half * 0.9} ${knee}`;
    const right = path`L${x + half * 0.9} ${knee}Q${x + half} ${bend} ${x + flare} ${foot}Z`;
    trunks += path`${left}L${x + lean - half * 0.55} ${top}h${half * 1.1}${right}`;
    sides += path`M${x + half * 0.15} ${foot}L${x + lean + half * 0.1} ${top}h${half * 0.45}${right}`;
    for (let branch = own.whole(1, 3); branch > 0; branch -= 1) {
      const level = own.between(0.12, 0.6);
      const y = foot * level;
      const at = x + lean * (1 - level);
      const long = frame.unit * (1.1 - distance * 0.7);
      const reach = (own.chance(0.5) ? 1 : -1) * long * own.between(0.03, 0.075);
      const rise = Math.abs(reach);
      const upper = path`Q${at + reach * 0.5} ${y - rise * 0.1} ${at + reach} ${y - rise * 0.6}`;
      const lower = path`Q${at + reach * 0.45} ${y - rise * 0.3} ${at} ${y - half * 0.5}Z`;
      branches += path`M${at} ${y + half * 0.5}${upper}${lower}`;
    }
  }
  const bark = lit(stage, mix(materials.bark, light.shade, 0.35 * (1 - distance)), distance);
  const edge = style.edge(stage, 0.6);
  const shaded = shape(sides, light.shade, { 'fill-opacity': 0.22 * (1 - distance) });
  return shape(branches, bark, edge) + shape(trunks, bark, edge) + shaded;
}

/** Draws leaves that hang in from the upper border down to about `depth`. */
export function drawCanopy(stage: Stage, label: string, depth: number, distance: number): string {
  const { frame, light, mood, style, materials } = stage;
  const random = stage.random.fork(`canopy-${label}`);
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
  const leaf = lit(stage, mix(green, light.shade, 0.25 * (1 - distance)), distance);
  const above = shape(box(-5, -20, frame.width + 10, 22), leaf);
  return above + leaves.draw(stage, leaf, style.edge(stage, 0.5), [0.22, 0.08]);
}

/** Draws ferns along the ground of a wood. */
export function drawFerns(stage: Stage, { label, profile, distance }: WoodRow): string {
  const { frame, light, style, materials } = stage;
  const random = stage.random.fork(`ferns-${label}`);
  const tall = frame.unit * (0.085 - 0.06 * distance);
  const spacing = thinned(frame, Math.max(1.5 * tall, 0.07 * frame.unit));
  const ferns = along(frame, random, spacing, 0.5).map(({ x, random: own }) => {
    if (!own.chance(style.detail)) return '';
    const y = profile(x) + tall * 0.1;
    const fronds = [-0.9, -0.5, -0.12, 0.3, 0.62, 1].map((lean) => {
      const reach = tall * lean * own.between(0.75, 1.1);
      const rise = tall * (1.05 - 0.5 * Math.abs(lean)) * own.between(0.75, 1.1);
      const upper = path`Q${x + reach * 0.15} ${y - rise * 1.05} ${x + reach} ${y - rise * 0.82}`;
      const lower = path`Q${x + reach * 0.42} ${y - rise * 0.62} ${x + tall * 0.05} ${y}Z`;
      return path`M${x - tall * 0.02} ${y}${upper}${lower}`;
    });
    return fronds.join('');
  });
  const green = mix(materials.grass, light.shade, 0.3 * (1 - distance));
  return shape(ferns.join(''), lit(stage, green, distance), style.edge(stage, 0.3));
}
