/** The sun or the moon, with its halo. */
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { ellipse } from '../svg/path';
import type { SkyPlan } from './plan-sky';

function halo(stage: Stage, { sunX, sunY, sunRadius }: SkyPlan, strength: number): string {
  const { frame, light, look } = stage;
  const reach = (look.name === 'photo' ? 13 : 9.5) * sunRadius;
  const power = strength * (light.night ? 0.5 : look.name === 'photo' ? 0.85 : 0.7);
  const fill = stage.canvas.radial(sunX, sunY, reach, [
    [0, light.glow, power],
    [0.12, light.glow, power * 0.66],
    [0.35, light.glow, power * 0.27],
    [0.65, light.glow, power * 0.07],
    [1, light.glow, 0],
  ]);
  return element('rect', { width: frame.width, height: frame.height, fill });
}

/** Flat rings of ever paler sky: the illustrated way of showing a glow. */
function rings(stage: Stage, { sunX, sunY, sunRadius }: SkyPlan): string {
  return [6.4, 4.4, 2.8, 1.8]
    .map((factor) =>
      element('circle', { cx: sunX, cy: sunY, r: sunRadius * factor, fill: stage.light.glow, opacity: 0.2 }),
    )
    .join('');
}

function moon(stage: Stage, { sunX, sunY, sunRadius }: SkyPlan, strength: number): string {
  const radius = sunRadius * 0.95;
  const { light, look } = stage;
  const phase = stage.random.fork('moon').between(-0.2, 1);
  if (phase > 0.35) {
    const tilt = stage.random.fork('tilt').between(-38, -12);
    const inner = radius * 0.82;
    const crescent = `M0 ${num(-radius)}A${num(radius)} ${num(radius)} 0 1 1 0 ${num(radius)}A${num(inner)} ${num(radius * 1.02)} 0 0 0 0 ${num(-radius)}Z`;
    return element('path', {
      d: crescent,
      fill: light.sun,
      opacity: strength,
      transform: `translate(${num(sunX)} ${num(sunY)}) rotate(${num(tilt)})`,
    });
  }
  const seas = [
    [-0.3, -0.25, 0.28],
    [0.28, -0.05, 0.2],
    [-0.05, 0.38, 0.22],
    [0.32, -0.45, 0.12],
  ]
    .map(([x = 0, y = 0, r = 0]) => ellipse(sunX + x * radius, sunY + y * radius, r * radius))
    .join('');
  return (
    element('circle', { cx: sunX, cy: sunY, r: radius, fill: light.sun, opacity: strength }) +
    (look.detail > 0.5
      ? element('path', { d: seas, fill: mix(light.sun, light.haze, 0.6), opacity: 0.35 * strength })
      : '')
  );
}

/** Draws the light in the sky; `strength` below 1 is a light behind a veil. */
export function drawSun(stage: Stage, plan: SkyPlan, strength: number): string {
  const { light, look } = stage;
  const glow = look.name === 'illustration' ? rings(stage, plan) : halo(stage, plan, strength);
  if (light.night && look.name !== 'dark') return glow + moon(stage, plan, strength);
  if (light.night && (stage.time === 'night' || stage.time === 'day'))
    return glow + moon(stage, plan, strength);
  const { sunX, sunY, sunRadius } = plan;
  const disc = stage.canvas.radial(sunX, sunY, sunRadius, [
    [0, mix(light.sun, '#ffffff', 0.75)],
    [0.72, light.sun],
    [1, light.sun, look.name === 'photo' ? 0 : 0.9],
  ]);
  return (
    glow +
    element('circle', {
      cx: sunX,
      cy: sunY,
      r: sunRadius,
      fill: look.name === 'illustration' ? light.sun : disc,
      opacity: strength,
    })
  );
}
