/** A meadow: rolling ground, trees, and flowers that grow towards the viewer. */
import { backdropOf, drawBackdrop } from './backdrop';
import { adjust, mix } from './colour';
import { sectionsOf } from './frame';
import { drawGround, type Ground, type Profile } from './land';
import { drawTree } from './leaves';
import { drawBloom, drawSky, landscapeOf } from './sky';
import { lit, type Stage } from './stage';
import { createRoundStrokes, line, path, repeat, shape } from './svg';
import { drawMist } from './weather';

/** Draws the motif. */
export function drawMeadow(stage: Stage): string {
  const { frame, materials } = stage;
  const { random, horizon, depth, sun } = landscapeOf(stage, 'meadow', 0.5, 0.57);
  const kind = backdropOf(stage, ['mountains', 'city', 'forest'], random.chance(0.4) ? 'mountains' : 'hills');
  const ground = (label: string, level: number, rise: number, distance: number, near: number): Ground => {
    const hill = { base: horizon + depth * level, height: frame.rise * rise, wavelength: frame.unit * 0.62 };
    const colour = mix(materials.farGrass, materials.grass, near);
    return drawGround(stage, random.fork(label), { ...hill, colour, distance, mist: 0.4 });
  };
  const far = ground('far', 0.14, 0.24, 0.52, 0.3);
  const middle = ground('middle', 0.4, 0.3, 0.28, 0.7);
  const near = ground('near', 0.72, 0.24, 0.06, 1);
  const trees = sectionsOf(frame, random.fork('trees')).map(({ at, random: own }) => {
    const [share, height] = [own.between(0.2, 0.34), frame.unit * own.between(0.2, 0.27)];
    const right = sun.x < at(0.5);
    const [x, farX] = [at(right ? 1 - share : share), at(right ? share : 1 - share)];
    const small = { x: farX, y: far.profile(farX) + 4, height: frame.unit * 0.08 };
    return {
      small: drawTree(stage, own.fork('small'), small, 0.45),
      tall: drawTree(stage, own.fork('tall'), { x, y: middle.profile(x) + 6, height }, 0.2),
    };
  });
  return (
    drawSky(stage, sun) +
    drawBackdrop(stage, kind, horizon + depth * 0.04, sun, 0.62) +
    drawMist(stage, horizon + depth * 0.06, depth * 0.14, 0.4) +
    far.marks +
    trees.map(({ small }) => small).join('') +
    middle.marks +
    trees.map(({ tall }) => tall).join('') +
    near.marks +
    drawFlowers(stage, middle.profile) +
    drawBloom(stage, sun)
  );
}

/** Three colours that stand together. */
type FlowerColours = readonly [string, string, string];

const BY_FLOWER: Readonly<Record<string, FlowerColours>> = {
  lavender: ['#8f6fc7', '#a98ad8', '#7558b0'],
  poppy: ['#e0483a', '#ef6a52', '#c93a34'],
  sunflower: ['#f6c02c', '#ffd45a', '#e8a51e'],
  tulip: ['#e8506a', '#f6a03c', '#f27ca0'],
  daisy: ['#fffdf4', '#fff6dc', '#ffe9b8'],
  rose: ['#d8486a', '#ef86a0', '#b8345a'],
};

const MIXED: readonly [FlowerColours, ...FlowerColours[]] = [
  ['#e8553f', '#ffd166', '#fff8ea'],
  ['#b07cc6', '#f3a6c0', '#fff3f6'],
  ['#f4a53c', '#fff4c8', '#e66a5c'],
  ['#7f8fd8', '#c9b6f2', '#fff6e2'],
];

/** Draws grass and flowers from a skyline downwards: specks far off, whole blossoms close by. */
function drawFlowers(stage: Stage, top: Profile): string {
  const { frame, light, style, mood, words, materials } = stage;
  const random = stage.random.fork('flowers');
  const mixed = random.pick(MIXED);
  const colours = Object.entries(BY_FLOWER).find(([flower]) => words.has(flower))?.[1] ?? mixed;
  const kinds = colours.map((colour) => ({
    colour: lit(stage, colour),
    specks: createRoundStrokes(),
    petals: createRoundStrokes(),
  }));
  const hearts = createRoundStrokes();
  let stems = '';
  const share = (0.3 + 0.7 * style.detail) * Math.min(2.5, Math.max(0.7, frame.width / frame.unit));
  const count = mood.season === 'winter' ? 0 : Math.round(620 * share);
  for (let index = 0; index < count; index += 1) {
    const own = random.fork(index);
    const t = (index / count) ** 1.15;
    const x = own.between(-0.02, 1.02) * frame.width;
    const start = top(x) + frame.unit * 0.012;
    const y = start + (frame.height - start) * t * 1.02;
    // Flowers stand in drifts, not evenly.
    const drift = Math.sin((x - frame.centre) / (frame.unit * 0.11) + y / (frame.unit * 0.05));
    if (drift + own.between(-0.9, 0.9) < -0.1) continue;
    const size = frame.unit * (0.0022 + 0.0175 * t ** 2.1) * own.between(0.75, 1.2);
    const kind = kinds[own.whole(0, 2)];
    if (t < 0.6) {
      kind?.specks.add(size * 1.5, path`M${x} ${y}h0`);
      continue;
    }
    const head = x + own.between(-0.4, 0.4) * size;
    stems += path`M${x} ${y + size * own.between(1.8, 3.2)}L${head} ${y}`;
    const petals = own.whole(5, 6);
    const turn = own.next() * Math.PI;
    for (let petal = 0; petal < petals; petal += 1) {
      const angle = turn + (petal / petals) * 2 * Math.PI;
      const [dx, dy] = [Math.cos(angle) * size, Math.sin(angle) * size * 0.78];
      kind?.petals.add(size * 0.62, path`M${head + dx * 0.4} ${y + dy * 0.4}l${dx * 0.3} ${dy * 0.3}`);
    }
    hearts.add(size * 0.5, path`M${head} ${y}h0`);
  }
  const grass = lit(stage, adjust(materials.grass, 0.84));
  const edge = style.edge(stage, 0.3);
  return (
    kinds.map(({ colour, specks }) => specks.draw(colour)).join('') +
    drawGrass(stage, top, grass) +
    line(stems, grass, frame.unit * 0.0022) +
    kinds.map(({ colour, petals }) => petals.draw(colour, edge)).join('') +
    hearts.draw(mix(light.accent, '#f7b733', 0.6))
  );
}

/** Blades of grass over a slope, taller towards the viewer. */
function drawGrass({ frame, style, random: source }: Stage, top: Profile, colour: string): string {
  const random = source.fork('grass');
  const count = Math.round(190 * Math.min(3, frame.width / frame.unit) * style.detail);
  const data = repeat(count, (index) => {
    const t = (index / count) ** 0.8;
    const x = random.between(-0.02, 1.02) * frame.width;
    const start = top(x) + frame.unit * 0.03;
    const y = start + (frame.height * 1.03 - start) * t;
    const height = frame.unit * (0.006 + 0.05 * t ** 2) * random.between(0.6, 1.2);
    const lean = random.between(-0.35, 0.45) * height;
    const back = path`q${-lean * 0.4} ${height * 0.5} ${-lean + height * 0.07} ${height}z`;
    return path`M${x} ${y}q${lean * 0.2} ${-height * 0.6} ${lean} ${-height}${back}`;
  });
  return shape(data, colour, { 'fill-opacity': 0.7 });
}
