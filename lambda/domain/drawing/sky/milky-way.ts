/** The Milky Way: a tilted band of light with dark lanes and a dust of stars. */
import type { Stage } from '../stage';
import { element, num } from '../svg/element';

/** Draws the band, and a shooting star beside it. */
export function drawMilkyWay(stage: Stage, horizon: number): string {
  const { frame, light, canvas, look } = stage;
  const random = stage.random.fork('milky-way');
  const tilt = (random.chance(0.5) ? 1 : -1) * random.between(38, 62);
  const middle = { x: frame.width * random.between(0.36, 0.64), y: horizon * 0.5 };
  const long = Math.hypot(frame.width, horizon) * 0.62;
  const glow = (colour: string, reach: number, squash: number, opacity: number, dx = 0, dy = 0): string =>
    element('ellipse', {
      cx: dx * long,
      cy: dy * long,
      rx: reach * long,
      ry: reach * long * squash,
      fill: canvas.radial(
        dx * long,
        dy * long,
        reach * long,
        [
          [0, colour, opacity],
          [0.45, colour, opacity * 0.42],
          [1, colour, 0],
        ],
        squash,
      ),
    });
  let dust = '';
  const grains = Math.round(300 * look.detail);
  for (let index = 0; index < grains; index += 1) {
    const along = (random.next() + random.next() - 1) * long;
    const across = (random.next() + random.next() + random.next() - 1.5) * long * 0.14;
    dust += `M${num(along)} ${num(across)}h0`;
  }
  let clouds = '';
  for (let index = 0; index < 6; index += 1) {
    clouds += glow(
      index % 2 === 0 ? light.glow : light.accent,
      random.between(0.1, 0.24),
      0.42,
      look.name === 'photo' ? 0.2 : 0.14,
      random.between(-0.6, 0.6),
      random.between(-0.035, 0.035),
    );
  }
  const lanes = [0, 1, 2]
    .map(() =>
      glow(
        light.shade,
        random.between(0.2, 0.34),
        0.16,
        0.2,
        random.between(-0.35, 0.35),
        random.between(-0.02, 0.03),
      ),
    )
    .join('');
  const band = element(
    'g',
    { transform: `translate(${num(middle.x)} ${num(middle.y)}) rotate(${num(tilt)})` },
    glow(light.glow, 1, 0.3, 0.3) +
      glow(light.glow, 0.85, 0.13, 0.34) +
      glow(light.sun, 0.3, 0.3, 0.3) +
      clouds +
      lanes +
      element('path', {
        d: dust,
        stroke: '#ffffff',
        'stroke-width': 0.0015 * frame.unit,
        'stroke-linecap': 'round',
        'stroke-opacity': 0.75,
      }),
  );
  const fall = { x: frame.width * random.between(0.15, 0.85), y: horizon * random.between(0.12, 0.4) };
  const tail = frame.unit * 0.12;
  const streak = element('path', {
    d: `M${num(fall.x)} ${num(fall.y)}l${num(tail)} ${num(tail * 0.42)}l${num(-tail)} ${num(-tail * 0.42 - frame.unit * 0.002)}z`,
    stroke: canvas.linear(fall.x, fall.y, fall.x + tail, fall.y + tail * 0.42, [
      [0, '#ffffff', 0],
      [1, '#ffffff', 0.95],
    ]),
    'stroke-width': 0.002 * frame.unit,
  });
  return band + streak;
}
