/** Stars: many faint ones, few bright ones, none near the horizon's haze. */
import type { Stage } from '../stage';
import { element, num } from '../svg/element';

/** Draws stars above `horizon`; `density` 1 is a clear night over land. */
export function drawStars(stage: Stage, horizon: number, density: number): string {
  const { frame, look, time } = stage;
  const dim = time === 'dusk' ? 0.45 : 1;
  const scale = frame.unit / 1000;
  const classes = [
    { count: 150, size: 0.9, opacity: 0.5 },
    { count: 60, size: 1.5, opacity: 0.75 },
    { count: 18, size: 2.4, opacity: 0.95 },
  ];
  return classes
    .map(({ count, size, opacity }, index) => {
      const random = stage.random.fork(`stars${index}`);
      const number = Math.round(count * density * dim * (0.4 + 0.6 * look.detail));
      let data = '';
      for (let star = 0; star < number; star += 1) {
        const x = random.next() * frame.width;
        const y = random.next() ** 1.25 * horizon * 0.94;
        // A line of no length with round ends is the shortest way to write a dot.
        data += `M${num(x)} ${num(y)}h0`;
      }
      return data === ''
        ? ''
        : element('path', {
            d: data,
            stroke: index === 2 ? stage.light.sun : '#ffffff',
            'stroke-width': size * scale * 1.6,
            'stroke-linecap': 'round',
            'stroke-opacity': opacity * (time === 'dusk' ? 0.7 : 1),
          });
    })
    .join('');
}
