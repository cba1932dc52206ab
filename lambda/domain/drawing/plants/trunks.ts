/** Tall trunks seen from inside a wood, row behind row. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import type { Profile } from '../terrain/profile';

/** One row of trunks; they rise beyond the upper edge. */
export interface TrunkRow {
  readonly label: string;
  readonly ground: Profile;
  readonly distance: number;
  readonly count: number;
}

/** Draws the row with a few bare branches, as one path. */
export function drawTrunks(stage: Stage, { label, ground, distance, count }: TrunkRow): string {
  const { frame, light, look, mood } = stage;
  const random = stage.random.fork(`trunks-${label}`);
  const number = Math.max(3, Math.min(60, Math.round((count * frame.width) / frame.unit)));
  const thick = frame.unit * (0.034 - 0.027 * distance);
  let data = '';
  let sides = '';
  // In a path of their own: where outlines of opposite direction overlap, a shared path would show holes.
  let branchData = '';
  for (let index = 0; index < number; index += 1) {
    const x = ((index + random.between(0.1, 0.9)) / number) * frame.width;
    const half = (thick * random.between(0.6, 1.25)) / 2;
    const foot = ground(x) + half * 1.4;
    const lean = random.between(-0.025, 0.025) * frame.height;
    const top = -10;
    const flare = half * 1.9;
    data += `M${num(x - flare)} ${num(foot)}Q${num(x - half)} ${num(foot - half * 3)} ${num(x - half * 0.9)} ${num(foot - half * 9)}L${num(x + lean - half * 0.55)} ${top}H${num(x + lean + half * 0.55)}L${num(x + half * 0.9)} ${num(foot - half * 9)}Q${num(x + half)} ${num(foot - half * 3)} ${num(x + flare)} ${num(foot)}Z`;
    sides += `M${num(x + half * 0.15)} ${num(foot)}L${num(x + lean + half * 0.1)} ${top}H${num(x + lean + half * 0.55)}L${num(x + half * 0.9)} ${num(foot - half * 9)}L${num(x + flare)} ${num(foot)}Z`;
    const branches = random.whole(1, 3);
    for (let branch = 0; branch < branches; branch += 1) {
      const level = random.between(0.12, 0.6);
      const y = foot * level;
      const at = x + lean * (1 - level);
      const side = random.chance(0.5) ? 1 : -1;
      const reach = side * frame.unit * random.between(0.03, 0.075) * (1.1 - distance * 0.7);
      const width = half * 0.5;
      branchData += `M${num(at)} ${num(y + width)}Q${num(at + reach * 0.5)} ${num(y - Math.abs(reach) * 0.1)} ${num(at + reach)} ${num(y - Math.abs(reach) * 0.6)}Q${num(at + reach * 0.45)} ${num(y - Math.abs(reach) * 0.3)} ${num(at)} ${num(y - width)}Z`;
    }
  }
  const bark = lit(stage, mix(materialsOf(mood.season).bark, light.shade, 0.35 * (1 - distance)), distance);
  return (
    element('path', { d: branchData, fill: bark, ...look.edge(stage, 0.6) }) +
    element('path', { d: data, fill: bark, ...look.edge(stage, 0.6) }) +
    element('path', { d: sides, fill: light.shade, 'fill-opacity': 0.22 * (1 - distance) })
  );
}
