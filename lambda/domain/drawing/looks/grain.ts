/** Film grain: a small tile of specks, repeated; it also hides the steps of long gradients. */
import type { Stage } from '../stage';
import { element, num } from '../svg/element';

const TILE = 150;
const SPECKS = 240;

/** A layer of light and dark specks over the whole picture. */
export function grain(stage: Stage, strength: number): string {
  const random = stage.random.fork('grain');
  const specks = (count: number): string =>
    Array.from({ length: count }, () => {
      const size = random.between(0.5, 1.1);
      return `M${num(random.between(0, TILE))} ${num(random.between(0, TILE))}h${num(size)}v${num(size)}h-${num(size)}z`;
    }).join('');
  const tile =
    element('path', { d: specks(SPECKS), fill: '#ffffff', opacity: 0.16 * strength }) +
    element('path', { d: specks(SPECKS), fill: '#000000', opacity: 0.2 * strength });
  const id = stage.canvas.define((name) =>
    element('pattern', { id: name, width: TILE, height: TILE, patternUnits: 'userSpaceOnUse' }, tile),
  );
  return element('rect', { width: stage.frame.width, height: stage.frame.height, fill: `url(#${id})` });
}
