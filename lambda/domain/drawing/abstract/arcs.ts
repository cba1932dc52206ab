/** Rainbows of nested half rings, tiled like a quilt with breathing space. */
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { box } from '../svg/path';
import type { Swatch } from './swatch';

/** Draws the form. */
export function drawArcs(stage: Stage, { colours, spot, back, dark }: Swatch): string {
  const { frame, look, canvas } = stage;
  const random = stage.random.fork('arcs');
  const across = Math.min(14, Math.max(2, Math.round(frame.width / (0.31 * frame.unit))));
  const size = frame.width / across;
  const down = Math.ceil(frame.height / size);
  const inks = [...colours, spot];
  let marks = '';
  for (let row = 0; row < Math.min(down, 14); row += 1) {
    for (let column = 0; column < across; column += 1) {
      const own = random.fork(`tile${row}/${column - Math.floor(across / 2)}`);
      const x = column * size;
      const y = row * size;
      const ground = own.pick([back, back, colours[4], colours[3], colours[1]]);
      const kind = own.next();
      const turn = own.whole(0, 3) * 90;
      const first = own.whole(0, inks.length - 1);
      const ink = (index: number): string => inks[(first + index) % inks.length] ?? spot;
      let tile = '';
      if (kind < 0.46) {
        tile = [1, 0.74, 0.48, 0.24]
          .map((reach, index) => {
            const r = reach * size;
            return element('path', {
              d: `M0 0H${num(r)}A${num(r)} ${num(r)} 0 0 1 0 ${num(r)}Z`,
              fill: ink(index),
            });
          })
          .join('');
      } else if (kind < 0.72) {
        tile = [0.5, 0.34, 0.17]
          .map((reach, index) =>
            element('path', {
              d: `M0 ${num(size / 2 - reach * size)}a${num(reach * size)} ${num(reach * size)} 0 0 1 0 ${num(2 * reach * size)}z`,
              fill: ink(index),
            }),
          )
          .join('');
      } else if (kind < 0.86) {
        tile = element('circle', { cx: size / 2, cy: size / 2, r: size * 0.3, fill: ink(0) });
      }
      marks += element(
        'g',
        { transform: `translate(${num(x)} ${num(y)})` },
        element('path', { d: box(-0.4, -0.4, size + 0.8, size + 0.8), fill: ground }) +
          element('g', { transform: `rotate(${turn} ${num(size / 2)} ${num(size / 2)})` }, tile),
      );
    }
  }
  const light = canvas.linear(0, 0, frame.width, frame.height, [
    [0, '#ffffff', dark ? 0.04 : 0.22],
    [0.6, mix(colours[0], '#000000', 0.2), 0],
    [1, mix(colours[0], '#000000', 0.4), look.name === 'illustration' ? 0 : 0.28],
  ]);
  return marks + element('rect', { width: frame.width, height: frame.height, fill: light });
}
