/** Blades of grass over a slope, taller towards the viewer. */
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import type { Profile } from '../terrain/profile';

/** Draws blades from a skyline down to `bottom`. */
export function drawGrass(stage: Stage, top: Profile, bottom: number, colour: string): string {
  const { frame, look } = stage;
  const random = stage.random.fork('grass');
  const count = Math.round(190 * Math.min(1.3, frame.width / frame.unit) * look.detail);
  let data = '';
  for (let index = 0; index < count; index += 1) {
    const t = (index / count) ** 0.8;
    const x = random.between(-0.02, 1.02) * frame.width;
    const start = top(x) + frame.unit * 0.03;
    const y = start + (bottom * 1.03 - start) * t;
    const height = frame.unit * (0.006 + 0.05 * t ** 2) * random.between(0.6, 1.2);
    const lean = random.between(-0.35, 0.45) * height;
    data += `M${num(x)} ${num(y)}q${num(lean * 0.2)} ${num(-height * 0.6)} ${num(lean)} ${num(-height)}q${num(-lean * 0.4)} ${num(height * 0.5)} ${num(-lean + height * 0.07)} ${num(height)}z`;
  }
  return data === '' ? '' : element('path', { d: data, fill: colour, 'fill-opacity': 0.7 });
}
