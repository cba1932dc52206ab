/** A meadow: rolling ground, trees, and flowers that grow towards the viewer. */
import { backdropOf, drawBackdrop } from './backdrop';
import { adjust, mix } from './colour';
import { drawTree } from './forest';
import { drawGround, type Ground, type Profile } from './land';
import { centresOf, edgeOf, lit, type Scene } from './scene';
import { drawLandscape, drawMist, landscapeOf } from './sky';
import { createRoundStrokes, line, path } from './svg';

/** Draws the subject. */
export function drawMeadow(scene: Scene): string {
  const { frame, materials } = scene;
  const { random, horizon, depth, sun, side } = landscapeOf(scene, 'meadow', 0.5, 0.57);
  const kind = backdropOf(scene, ['mountains', 'city', 'forest'], random.chance(0.4) ? 'mountains' : 'hills');
  const ground = (label: string, level: number, height: number, distance: number, near: number): Ground => {
    const colour = mix(materials.farGrass, materials.grass, near);
    const hill = { label, base: horizon + depth * level, height, wave: 0.62 };
    return drawGround(scene, { ...hill, colour, distance, mist: 0.4 });
  };
  const far = ground('far', 0.14, 0.24, 0.52, 0.3);
  const middle = ground('middle', 0.4, 0.3, 0.28, 0.7);
  const near = ground('near', 0.72, 0.24, 0.06, 1);
  /** Trees on the side of the light (1) or on the other one (-1). */
  const trees = ({ profile }: Ground, towards: 1 | -1, height: number, distance: number): string =>
    centresOf(frame, random.fork(towards))
      .map(({ x: centre, random: own }) => {
        const x = centre - towards * side * own.between(0.16, 0.3) * frame.span;
        const footing = { x, y: profile(x) + 5, height: height * own.between(0.85, 1.15) * frame.unit };
        return drawTree(scene, own, footing, distance);
      })
      .join('');
  return drawLandscape(scene, sun, [
    drawBackdrop(scene, kind, horizon + depth * 0.04, sun, 0.62),
    drawMist(scene, horizon + depth * 0.06, depth * 0.14, 0.4),
    far.marks,
    trees(far, 1, 0.08, 0.45),
    middle.marks,
    trees(middle, -1, 0.235, 0.2),
    near.marks,
    drawFlowers(scene, middle.profile),
  ]);
}

/** Three colours that stand together, for flowers that the words name. */
const BY_FLOWER: Readonly<Record<string, string>> = {
  lavender: '#8f6fc7 #a98ad8 #7558b0',
  poppy: '#e0483a #ef6a52 #c93a34',
  sunflower: '#f6c02c #ffd45a #e8a51e',
  tulip: '#e8506a #f6a03c #f27ca0',
  daisy: '#fffdf4 #fff6dc #ffe9b8',
  rose: '#d8486a #ef86a0 #b8345a',
};

/** Colours of mixed flowers. */
const MIXED = [
  '#e8553f #ffd166 #fff8ea',
  '#b07cc6 #f3a6c0 #fff3f6',
  '#f4a53c #fff4c8 #e66a5c',
  '#7f8fd8 #c9b6f2 #fff6e2',
] as const;

/** Draws flowers from a skyline downwards: specks far off, whole blossoms close by. */
function drawFlowers(scene: Scene, top: Profile): string {
  const { frame, light, style, mood, words, materials } = scene;
  const random = scene.random.fork('flowers');
  const flower = Object.keys(BY_FLOWER).find((name) => words.has(name));
  const colours = (BY_FLOWER[flower ?? ''] ?? random.pick(MIXED)).split(' ');
  const kinds = colours.map((colour) => ({
    colour: lit(scene, colour),
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
    stems += path`M${x + own.between(-0.4, 0.4) * size} ${y + size * own.between(1.8, 3.2)}L${x} ${y}`;
    const petals = own.whole(5, 6);
    for (let petal = 0; petal < petals; petal += 1) {
      const angle = ((petal + own.between(0, 0.2)) / petals) * 2 * Math.PI;
      const [dx, dy] = [Math.cos(angle) * size, Math.sin(angle) * size * 0.78];
      kind?.petals.add(size * 0.62, path`M${x + dx * 0.4} ${y + dy * 0.4}l${dx * 0.3} ${dy * 0.3}`);
    }
    hearts.add(size * 0.5, path`M${x} ${y}h0`);
  }
  const grass = lit(scene, adjust(materials.grass, 0.84));
  const edge = edgeOf(scene, 0.3);
  return (
    kinds.map(({ colour, specks }) => specks.draw(colour)).join('') +
    line(stems, grass, frame.unit * 0.0022) +
    kinds.map(({ colour, petals }) => petals.draw(colour, edge)).join('') +
    hearts.draw(mix(light.accent, '#f7b733', 0.6))
  );
}
