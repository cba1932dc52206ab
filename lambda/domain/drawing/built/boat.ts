/** A small sailing boat. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';

/** Where a thing stands: the middle of its foot, and how tall it is. */
export interface Standing {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** Draws the boat; y is the water line. */
export function drawSailboat(stage: Stage, { x, y, height }: Standing): string {
  const { light, look } = stage;
  const h = height;
  const at = (dx: number, dy: number): string => `${num(x + dx * h)} ${num(y + dy * h)}`;
  const sail = light.night ? mix(light.cloud, '#ffffff', 0.35) : '#fffaf0';
  const bright = mix(sail, light.glow, 0.3);
  const edge = look.edge(stage, 0.6);
  const mark = (d: string, fill: string, opacity?: number): string =>
    element('path', { d, fill, opacity, ...(opacity === undefined ? edge : {}) });
  return (
    mark(`M${at(-0.3, 0.06)}Q${at(0, 0.34)} ${at(0.36, 0.06)}Z`, light.shade, 0.25) +
    mark(`M${at(0.02, -1)}Q${at(0.46, -0.5)} ${at(0.4, -0.1)}L${at(0.02, -0.1)}Z`, bright) +
    mark(
      `M${at(-0.03, -0.86)}Q${at(-0.12, -0.4)} ${at(-0.32, -0.12)}L${at(-0.03, -0.12)}Z`,
      mix(bright, light.haze, 0.3),
    ) +
    mark(
      `M${at(-0.36, -0.06)}L${at(0.42, -0.06)}Q${at(0.32, 0.08)} ${at(0.2, 0.08)}L${at(-0.22, 0.08)}Z`,
      lit(stage, '#8a4b38', 0.05),
    )
  );
}
