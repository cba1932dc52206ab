/** A wooden cabin under snow, with lit windows and smoke. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import type { Standing } from './boat';

/** Draws the cabin; y is the ground. */
export function drawCabin(stage: Stage, { x, y, height: h }: Standing): string {
  const { light, look, canvas } = stage;
  const at = (dx: number, dy: number): string => `${num(x + dx * h)} ${num(y + dy * h)}`;
  const edge = look.edge(stage, 0.6);
  const mark = (d: string, fill: string): string => element('path', { d, fill, ...edge });
  const wood = lit(stage, '#7a4a36', 0.08);
  const roof = lit(stage, '#f6faff', 0.1);
  const glow = canvas.radial(x, y - h * 0.3, h * 1.8, [
    [0, light.accent, light.night ? 0.5 : stage.time === 'sunset' ? 0.25 : 0],
    [1, light.accent, 0],
  ]);
  const smoke = canvas.linear(0, y - h * 2.4, 0, y - h * 1.05, [
    [0, light.cloud, 0],
    [1, light.cloud, 0.6],
  ]);
  const pane = light.night || stage.time === 'sunset' ? mix(light.accent, '#ffffff', 0.2) : '#ffe2a0';
  return (
    element('path', {
      d: `M${at(0.34, -1.1)}C${at(0.2, -1.4)} ${at(0.62, -1.6)} ${at(0.46, -1.95)}C${at(0.4, -2.1)} ${at(0.62, -2.3)} ${at(0.8, -2.4)}C${at(0.7, -2.1)} ${at(0.74, -1.9)} ${at(0.66, -1.7)}C${at(0.56, -1.45)} ${at(0.44, -1.3)} ${at(0.48, -1.1)}Z`,
      fill: smoke,
    }) +
    mark(
      `M${at(0.32, -0.7)}H${num(x + 0.5 * h)}V${num(y - 1.1 * h)}H${num(x + 0.32 * h)}Z`,
      lit(stage, '#5d4a48', 0.08),
    ) +
    mark(`M${at(-0.78, 0)}V${num(y - 0.5 * h)}L${at(-0.4, -0.98)}L${at(0.0, -0.5)}V${num(y)}Z`, wood) +
    mark(`M${at(0, 0)}V${num(y - 0.5 * h)}H${num(x + 0.78 * h)}V${num(y)}Z`, mix(wood, light.shade, 0.25)) +
    mark(`M${at(-0.4, -1.04)}L${at(0.5, -1.04)}L${at(0.9, -0.44)}L${at(0.02, -0.44)}Z`, roof) +
    mark(
      `M${at(-0.4, -1.06)}L${at(-0.9, -0.42)}L${at(-0.78, -0.4)}L${at(-0.38, -0.9)}L${at(0.0, -0.42)}L${at(0.12, -0.44)}Z`,
      mix(roof, light.shade, 0.08),
    ) +
    mark(`M${at(-0.5, -0.16)}h${num(0.2 * h)}v${num(-0.26 * h)}h${num(-0.2 * h)}z`, pane) +
    mark(
      `M${at(0.2, -0.14)}h${num(0.17 * h)}v${num(-0.2 * h)}h${num(-0.17 * h)}zM${at(0.5, -0.14)}h${num(0.17 * h)}v${num(-0.2 * h)}h${num(-0.17 * h)}z`,
      pane,
    ) +
    element('ellipse', { cx: x, cy: y - h * 0.3, rx: h * 1.8, ry: h * 1.8, fill: glow })
  );
}
