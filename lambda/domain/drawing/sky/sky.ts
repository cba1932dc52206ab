/** The sky: its gradient, its light, what floats and shines in it. */
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element } from '../svg/element';
import { drawClouds } from './clouds';
import type { SkyPlan } from './plan-sky';
import { drawStars } from './stars';
import { drawSun } from './sun';

/** Draws the whole sky, over the full height of the picture. */
export function drawSky(stage: Stage, plan: SkyPlan): string {
  const { frame, light, canvas, look, mood } = stage;
  const [zenith, upper, lower, horizon] = light.sky;
  const bright = look.name === 'photo' ? mix(horizon, light.glow, 0.25) : horizon;
  const fill = canvas.linear(0, 0, 0, plan.horizon, [
    [0, zenith],
    [0.42, upper],
    [0.78, lower],
    [1, bright],
  ]);
  const base = element('rect', { width: frame.width, height: frame.height, fill });
  const veiled = mood.weather === 'rain' || mood.weather === 'fog' || mood.weather === 'snow';
  return (
    base +
    (light.night && !veiled ? drawStars(stage, plan.horizon, 1) : '') +
    (mood.weather === 'rain' ? '' : drawSun(stage, plan, veiled ? 0.45 : 1)) +
    drawClouds(stage, plan)
  );
}
