/** A row of round crowns along a skyline, in the season's colours. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { box } from '../svg/path';
import { createRoundStrokes } from '../svg/round-strokes';
import type { Profile } from '../terrain/profile';

/** Where the row stands; `density` 1 lets the crowns just touch. */
export interface LeafRow {
  readonly label: string;
  readonly profile: Profile;
  readonly distance: number;
  readonly density: number;
}

/** Draws the row. */
export function drawLeafRow(stage: Stage, { label, profile, distance, density }: LeafRow): string {
  const { frame, mood, light, look } = stage;
  const random = stage.random.fork(`leaves-${label}`);
  const materials = materialsOf(mood.season);
  const size = frame.unit * (0.05 - 0.034 * distance);
  const number = Math.min(52, Math.ceil((frame.width / size / 1.8) * density));
  const kinds = materials.leaves.map((leaf) => ({
    colour: lit(stage, leaf, distance),
    body: createRoundStrokes(),
    bright: createRoundStrokes(),
  }));
  let trunks = '';
  for (let index = 0; index <= number; index += 1) {
    const x = (index / number) * frame.width + random.between(-0.6, 0.6) * size;
    const radius = size * random.between(0.7, 1.25);
    const y = profile(x) - radius * random.between(0.5, 1);
    const kind = kinds[random.whole(0, 2)];
    for (let puff = 0; puff < 6; puff += 1) {
      const angle = (puff / 5) * 2 * Math.PI + random.between(-0.3, 0.3);
      const away = puff === 5 ? 0 : radius * 0.62;
      const px = x + Math.cos(angle) * away;
      const py = y + Math.sin(angle) * away * 0.85;
      const width = 2 * radius * (puff === 5 ? 0.85 : random.between(0.42, 0.62));
      kind?.body.add(width, `M${num(px)} ${num(py)}h0`);
      if (py < y && puff < 5)
        kind?.bright.add(width * 0.58, `M${num(px - width * 0.06)} ${num(py - width * 0.1)}h0`);
    }
    trunks += box(x - radius * 0.08, y, radius * 0.16, radius * 2.2);
  }
  const edge = look.edge(stage, 0.4);
  return (
    element('path', { d: trunks, fill: lit(stage, materials.bark, distance) }) +
    kinds
      .map(
        ({ colour, body, bright }) =>
          body.draw(colour, edge) + bright.draw(mix(colour, light.glow, light.night ? 0.1 : 0.2)),
      )
      .join('')
  );
}
