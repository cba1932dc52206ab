/** The veil of light that a low or bright sun lays over everything in front of it. */
import type { Stage } from '../stage';
import { element } from '../svg/element';
import type { SkyPlan } from './plan-sky';

const STRENGTH = { stock: 0.2, photo: 0.36, dark: 0.16, illustration: 0, minimal: 0 } as const;

/** Draws the veil; to be laid over the finished land. */
export function drawBloom(stage: Stage, { sunX, sunY }: SkyPlan): string {
  const { frame, light, look, canvas, time, mood } = stage;
  const low = time === 'sunset' || time === 'golden' || time === 'dawn';
  const veiled = mood.weather === 'rain' || mood.weather === 'fog' ? 0.4 : 1;
  const power = STRENGTH[look.name] * (light.night ? 0.45 : low ? 1 : 0.6) * veiled;
  if (power === 0) return '';
  const veil = canvas.radial(sunX, sunY, 0.72 * frame.unit, [
    [0, light.glow, power],
    [0.2, light.glow, power * 0.56],
    [0.5, light.glow, power * 0.2],
    [1, light.glow, 0],
  ]);
  return element('rect', { width: frame.width, height: frame.height, fill: veil });
}
