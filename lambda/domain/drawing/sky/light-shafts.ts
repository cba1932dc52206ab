/** Shafts of sunlight that fall through leaves. */
import type { Stage } from '../stage';
import { element, num } from '../svg/element';

/** Draws a fan of shafts from a point above the picture. */
export function drawLightShafts(stage: Stage, fromX: number, strength: number): string {
  const { frame, light, canvas } = stage;
  const random = stage.random.fork('shafts');
  const top = -0.35 * frame.height;
  const fill = canvas.linear(0, 0, 0, frame.height * 0.92, [
    [0, light.glow, strength],
    [0.55, light.glow, strength * 0.5],
    [1, light.glow, 0],
  ]);
  let data = '';
  for (let shaft = 0; shaft < 7; shaft += 1) {
    const angle = -0.55 + (1.1 * (shaft + random.between(0.1, 0.9))) / 7;
    const width = random.between(0.02, 0.07);
    const length = 1.5 * frame.height;
    const foot = (turn: number): string => `${num(fromX + Math.tan(turn) * length)} ${num(top + length)}`;
    data += `M${num(fromX)} ${num(top)}L${foot(angle - width)}L${foot(angle + width)}Z`;
  }
  return element('path', { d: data, fill });
}
