/** A small tent with a lamp in it. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import type { Standing } from './boat';

/** Draws the tent; y is the ground. */
export function drawTent(stage: Stage, { x, y, height: h }: Standing): string {
  const { light, look, canvas, frame } = stage;
  const at = (dx: number, dy: number): string => `${num(x + dx * h)} ${num(y + dy * h)}`;
  const warm = light.night ? light.accent : mix('#e8895a', light.tint, light.tintAmount);
  const cloth = canvas.radial(x, y - h * 0.2, h * 1.1, [
    [0, mix(warm, '#ffffff', 0.45)],
    [0.5, warm],
    [1, mix(warm, '#8a3a2a', 0.6)],
  ]);
  const glow = light.night
    ? element('circle', {
        cx: x,
        cy: y - h * 0.3,
        r: h * 3.4,
        fill: canvas.radial(x, y - h * 0.3, h * 3.4, [
          [0, light.accent, 0.42],
          [0.4, light.accent, 0.13],
          [1, light.accent, 0],
        ]),
      })
    : '';
  const edge = look.edge(stage, 0.6);
  return (
    glow +
    element('path', {
      d: `M${at(-1.05, 0.1)}Q${at(-0.35, -0.45)} ${at(-0.12, -0.98)}L${at(0.12, -0.98)}Q${at(0.4, -0.45)} ${at(1.1, 0.1)}Z`,
      fill: cloth,
      ...edge,
    }) +
    element('path', {
      d: `M${at(-0.02, -0.96)}L${at(-0.3, 0.1)}L${at(0.26, 0.1)}Z`,
      fill: mix(warm, '#ffffff', 0.62),
      opacity: 0.85,
    }) +
    element('path', {
      d: `M${at(0, -0.96)}L${at(0, 0.1)}`,
      stroke: lit(stage, '#5a3a30', 0),
      'stroke-width': frame.unit * 0.0014,
    })
  );
}
