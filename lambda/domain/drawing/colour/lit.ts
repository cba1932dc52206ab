/** The colour a thing shows in the picture's light, at its distance. */
import type { Stage } from '../stage';
import { adjust, mix } from './mix';

/** A material's colour under the hour's tint, faded towards the haze by `distance` (0 near, 1 far). */
export function lit(stage: Stage, material: string, distance: number): string {
  const { light, look, mood } = stage;
  const inTint = mix(material, light.tint, light.tintAmount);
  const inMood = look.name === 'illustration' ? adjust(inTint, 1.02, 1.25) : inTint;
  const thickAir =
    mood.weather === 'fog' ? 1.35 : mood.weather === 'snow' || mood.weather === 'rain' ? 1.15 : 1;
  const fade = Math.min(0.93, 0.86 * Math.max(0, distance) ** 1.15 * look.air * thickAir);
  return mix(inMood, light.haze, fade);
}
