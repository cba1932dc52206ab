/** A field of flowers: specks far off, whole blossoms on stems close by. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { adjust, mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { createRoundStrokes } from '../svg/round-strokes';
import type { Profile } from '../terrain/profile';
import { flowerColours } from './flower-colours';
import { drawGrass } from './grass';

/** Where the flowers grow: from a skyline down to the lower edge. */
export interface FlowerField {
  readonly top: Profile;
  readonly bottom: number;
}

/** Draws grass and flowers. */
export function drawFlowerField(stage: Stage, { top, bottom }: FlowerField): string {
  const { frame, light, look, mood, words } = stage;
  const random = stage.random.fork('flowers');
  const kinds = flowerColours(words, random).map((colour) => ({
    colour: lit(stage, colour, 0),
    specks: createRoundStrokes(),
    petals: createRoundStrokes(),
  }));
  const hearts = createRoundStrokes();
  let stems = '';
  const grass = lit(stage, adjust(materialsOf(mood.season).grass, 0.84), 0);
  const wide = Math.min(1.35, Math.max(0.7, frame.width / frame.unit));
  const number = mood.season === 'winter' ? 0 : Math.round(620 * wide * (0.3 + 0.7 * look.detail));
  for (let index = 0; index < number; index += 1) {
    const t = (index / number) ** 1.15;
    const x = random.between(-0.02, 1.02) * frame.width;
    const start = top(x) + frame.unit * 0.012;
    const y = start + (bottom - start) * t * 1.02;
    // Flowers stand in drifts, not evenly.
    const drift = Math.sin(x / (frame.unit * 0.11) + y / (frame.unit * 0.05)) + random.between(-0.9, 0.9);
    if (drift < -0.1) continue;
    const size = frame.unit * (0.0022 + 0.0175 * t ** 2.1) * random.between(0.75, 1.2);
    const kind = kinds[random.whole(0, 2)];
    if (t < 0.6) {
      kind?.specks.add(size * 1.5, `M${num(x)} ${num(y)}h0`);
      continue;
    }
    const stem = size * random.between(1.8, 3.2);
    const head = x + random.between(-0.4, 0.4) * size;
    stems += `M${num(x)} ${num(y + stem)}L${num(head)} ${num(y)}`;
    const count = random.whole(5, 6);
    const turn = random.next() * Math.PI;
    for (let petal = 0; petal < count; petal += 1) {
      const angle = turn + (petal / count) * 2 * Math.PI;
      const dx = Math.cos(angle) * size;
      const dy = Math.sin(angle) * size * 0.78;
      kind?.petals.add(
        size * 0.62,
        `M${num(head + dx * 0.4)} ${num(y + dy * 0.4)}l${num(dx * 0.3)} ${num(dy * 0.3)}`,
      );
    }
    hearts.add(size * 0.5, `M${num(head)} ${num(y)}h0`);
  }
  const edge = look.edge(stage, 0.3);
  return (
    kinds.map(({ colour, specks }) => specks.draw(colour)).join('') +
    drawGrass(stage, top, bottom, grass) +
    element('path', { d: stems, fill: 'none', stroke: grass, 'stroke-width': frame.unit * 0.0022 }) +
    kinds.map(({ colour, petals }) => petals.draw(colour, edge)).join('') +
    hearts.draw(mix(light.accent, '#f7b733', 0.6))
  );
}
