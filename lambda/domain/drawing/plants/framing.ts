/** Dark firs and reeds close to the viewer, at the side away from the light. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { landBelow, type Profile } from '../terrain/profile';
import { firPath } from './pines';

/** Where the frame stands: on which ground, and away from what. */
export interface Framing {
  readonly ground: Profile;
  readonly away: number;
}

/** Draws the nearest ground with a group of firs on one side and grass along it. */
export function drawFraming(stage: Stage, { ground, away }: Framing): string {
  const { frame, light, look, mood } = stage;
  const random = stage.random.fork('framing');
  const materials = materialsOf(mood.season);
  const side = away > frame.centre ? 0 : 1;
  const tall = Math.min(frame.height * 0.66, frame.unit * 0.46);
  let firs = '';
  const group = random.whole(3, 5);
  for (let index = 0; index < group; index += 1) {
    const inward = (0.005 + 0.055 * index + random.between(0, 0.03)) * frame.unit;
    const x = side === 0 ? inward : frame.width - inward;
    firs += firPath(
      random,
      x,
      ground(x) + tall * 0.06,
      tall * (1 - 0.16 * index) * random.between(0.75, 1.05),
      11,
    );
  }
  let grass = '';
  const blades = Math.round(120 * look.detail);
  for (let index = 0; index < blades; index += 1) {
    const x = random.next() * frame.width;
    const height = frame.unit * random.between(0.01, 0.042);
    const lean = random.between(-0.5, 0.5) * height;
    const y = ground(x) + 4;
    grass += `M${num(x - 1.4)} ${num(y)}Q${num(x)} ${num(y - height * 0.6)} ${num(x + lean)} ${num(y - height)}Q${num(x + 1.2)} ${num(y - height * 0.5)} ${num(x + 1.6)} ${num(y)}Z`;
  }
  const dark = lit(stage, mix(materials.pine, light.shade, 0.55), 0);
  const soil = mix(materials.grass, light.shade, 0.6);
  return (
    element('path', { d: firs, fill: dark, ...look.edge(stage, 0.8) }) +
    (grass === '' ? '' : element('path', { d: grass, fill: lit(stage, soil, 0) })) +
    look.land(stage, { ...landBelow(ground, frame, frame.height + 5), colour: soil, distance: 0 })
  );
}
