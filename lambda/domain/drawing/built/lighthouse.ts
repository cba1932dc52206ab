/** A lighthouse, its beam lit when the light is low. */
import { lit } from '../colour/lit';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import type { Standing } from './boat';

/** Draws the tower; y is its foot. */
export function drawLighthouse(stage: Stage, { x, y, height: h }: Standing): string {
  const { light, look, canvas, frame } = stage;
  const at = (dx: number, dy: number): string => `${num(x + dx * h)} ${num(y + dy * h)}`;
  const edge = look.edge(stage, 0.6);
  const mark = (d: string, fill: string): string => element('path', { d, fill, ...edge });
  const white = lit(stage, '#f6f1e8', 0.15);
  const red = lit(stage, '#c8473c', 0.15);
  const band = (from: number, to: number): string => {
    const half = (level: number): number => 0.13 - 0.05 * level;
    return mark(
      `M${at(-half(from), -from)}L${at(half(from), -from)}L${at(half(to), -to)}L${at(-half(to), -to)}Z`,
      red,
    );
  };
  const towards = x > frame.centre ? -1 : 1;
  const lamp = y - 0.86 * h;
  const reach = frame.width * 0.55 * towards;
  const beam = canvas.linear(x, 0, x + reach, 0, [
    [0, light.accent, 0.5],
    [1, light.accent, 0],
  ]);
  const beams =
    light.night || stage.time === 'sunset'
      ? element('path', {
          d: `M${num(x)} ${num(lamp)}l${num(reach)} ${num(-0.34 * h)}v${num(0.5 * h)}z`,
          fill: beam,
        })
      : '';
  return (
    beams +
    mark(`M${at(-0.13, 0.05)}L${at(0.13, 0.05)}L${at(0.085, -0.8)}L${at(-0.085, -0.8)}Z`, white) +
    band(0.12, 0.28) +
    band(0.44, 0.6) +
    mark(
      `M${at(-0.11, -0.8)}L${at(0.11, -0.8)}L${at(0.11, -0.77)}L${at(-0.11, -0.77)}Z`,
      lit(stage, '#2f3644', 0.1),
    ) +
    mark(`M${at(-0.06, -0.8)}L${at(0.06, -0.8)}L${at(0.06, -0.92)}L${at(-0.06, -0.92)}Z`, light.accent) +
    mark(`M${at(-0.085, -0.92)}Q${at(0, -1.06)} ${at(0.085, -0.92)}Z`, red) +
    element('path', {
      d: `M${at(0.02, 0.05)}L${at(0.13, 0.05)}L${at(0.085, -0.8)}L${at(0.03, -0.8)}Z`,
      fill: light.shade,
      opacity: 0.18,
    })
  );
}
