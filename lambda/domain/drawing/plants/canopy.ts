/** The leaves overhead, and ferns and bushes on the ground of a wood. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { box } from '../svg/path';
import { createRoundStrokes } from '../svg/round-strokes';
import type { Profile } from '../terrain/profile';

/** Draws leaves that hang in from the upper edge. */
export function drawCanopy(
  stage: Stage,
  { label, depth, distance }: { label: string; depth: number; distance: number },
): string {
  const { frame, light, mood, look } = stage;
  const random = stage.random.fork(`canopy-${label}`);
  const size = frame.unit * (0.062 - 0.03 * distance);
  const count = Math.min(56, Math.round((frame.width / size) * 1.5));
  const body = createRoundStrokes();
  const bright = createRoundStrokes();
  for (let index = 0; index < count; index += 1) {
    const x = (index / count) * frame.width * 1.06 - 0.03 * frame.width;
    const swell = 0.55 + 0.45 * Math.sin(x / (0.16 * frame.unit) + random.between(0, 0.8));
    const y = random.between(-0.2, 1) * depth * swell;
    const radius = size * random.between(0.5, 1);
    body.add(2 * radius, `M${num(x)} ${num(y - radius * 0.4)}h0`);
    if (index % 3 === 0) bright.add(radius, `M${num(x - radius * 0.2)} ${num(y - radius * 0.5)}h0`);
  }
  const leaf = lit(
    stage,
    mix(
      mood.season === 'summer' || mood.season === undefined ? '#3f7548' : materialsOf(mood.season).leaves[0],
      light.shade,
      0.25 * (1 - distance),
    ),
    distance,
  );
  return (
    body.draw(leaf, look.edge(stage, 0.5)) +
    element('path', { d: box(-5, -20, frame.width + 10, 22), fill: leaf }) +
    bright.draw(mix(leaf, light.glow, light.night ? 0.08 : 0.22))
  );
}

/** Draws ferns along a ground. */
export function drawFerns(stage: Stage, ground: Profile, distance: number): string {
  const { frame, light, mood, look } = stage;
  const random = stage.random.fork(`ferns${distance}`);
  const tall = frame.unit * (0.085 - 0.06 * distance);
  const plants = Math.min(20, Math.round((frame.width / tall) * 0.8 * look.detail));
  let data = '';
  for (let plant = 0; plant < plants; plant += 1) {
    const x = random.next() * frame.width;
    const y = ground(x) + tall * 0.1;
    for (const lean of [-0.9, -0.5, -0.12, 0.3, 0.62, 1]) {
      const reach = tall * lean * random.between(0.75, 1.1);
      const rise = tall * (1.05 - 0.5 * Math.abs(lean)) * random.between(0.75, 1.1);
      data += `M${num(x - tall * 0.02)} ${num(y)}Q${num(x + reach * 0.15)} ${num(y - rise * 1.05)} ${num(x + reach)} ${num(y - rise * 0.82)}Q${num(x + reach * 0.42)} ${num(y - rise * 0.62)} ${num(x + tall * 0.05)} ${num(y)}Z`;
    }
  }
  const fern = lit(stage, mix(materialsOf(mood.season).grass, light.shade, 0.3 * (1 - distance)), distance);
  return element('path', { d: data, fill: fern, ...look.edge(stage, 0.3) });
}
