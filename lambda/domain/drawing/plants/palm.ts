/** A palm that leans over the beach. */

import type { Standing } from '../built/boat';
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';

/** One frond: a curved rib with a comb of leaflets hanging from it. */
function frond(x: number, y: number, length: number, degrees: number): string {
  const angle = (degrees * Math.PI) / 180;
  const droop = length * 0.42;
  const end = { x: x + Math.cos(angle) * length, y: y - Math.sin(angle) * length + droop };
  const bow = {
    x: x + Math.cos(angle) * length * 0.55,
    y: y - Math.sin(angle) * length * 0.75 - length * 0.12,
  };
  const teeth = 9;
  let lower = '';
  for (let index = teeth; index >= 1; index -= 1) {
    const t = index / (teeth + 1);
    const rib = {
      x: (1 - t) ** 2 * x + 2 * t * (1 - t) * bow.x + t * t * end.x,
      y: (1 - t) ** 2 * y + 2 * t * (1 - t) * bow.y + t * t * end.y,
    };
    const hang = length * 0.2 * Math.sin(Math.PI * Math.min(1, t * 0.9 + 0.1));
    const sway = Math.cos(angle) * length * 0.05;
    lower += `L${num(rib.x + sway)} ${num(rib.y + hang)}L${num(rib.x - sway * 0.4)} ${num(rib.y + hang * 0.25)}`;
  }
  return `M${num(x)} ${num(y)}Q${num(bow.x)} ${num(bow.y)} ${num(end.x)} ${num(end.y)}${lower}Z`;
}

/** Draws the palm; `lean` 1 leans to the right, -1 to the left. */
export function drawPalm(stage: Stage, { x, y, height }: Standing, lean: 1 | -1): string {
  const { light, look } = stage;
  const random = stage.random.fork('palm');
  const top = { x: x + lean * height * random.between(0.2, 0.32), y: y - height };
  const bow = { x: x + lean * height * 0.02, y: y - height * 0.6 };
  const thick = height * 0.026;
  const edge = look.edge(stage, 0.7);
  const trunk = `M${num(x - thick * 1.5)} ${num(y)}Q${num(bow.x - thick)} ${num(bow.y)} ${num(top.x - thick * 0.6)} ${num(top.y)}L${num(top.x + thick * 0.6)} ${num(top.y)}Q${num(bow.x + thick)} ${num(bow.y)} ${num(x + thick * 1.5)} ${num(y)}Z`;
  const angles = [168, 146, 205, 120, 62, 34, 12, -24, 92];
  const back = angles.filter((_, index) => index % 2 === 1);
  const front = angles.filter((_, index) => index % 2 === 0);
  const crown = (list: readonly number[]): string =>
    list
      .map((degrees) =>
        frond(top.x, top.y, height * random.between(0.32, 0.42), degrees + random.between(-8, 8)),
      )
      .join('');
  const leaf = lit(stage, mix('#2f6b4a', light.shade, 0.3), 0);
  const mark = (d: string, fill: string): string => element('path', { d, fill, ...edge });
  return (
    mark(crown(back), mix(leaf, light.shade, 0.4)) +
    mark(trunk, lit(stage, mix('#7a5a40', light.shade, 0.25), 0)) +
    mark(crown(front), leaf)
  );
}
