/** Draws water, which mirrors its shore. */
import { mix } from './colour';
import { litColour, type Scene } from './scene';
import { box, path, repeat, shape, tag } from './svg';

/** Draws water from the horizon down, and the `shore` that stands on it, under a sun at `sunX`. */
export function drawWater(scene: Scene, horizon: number, sunX: number, shore: string): string {
  const { frame, light, gradients, style } = scene;
  const random = scene.random.fork('water');
  const { unit, width } = frame;
  const depth = frame.height - horizon;
  // Water shows the sky upside down: the horizon's colour far off, the zenith's close by.
  const near = mix(litColour(scene, '#2a7391'), light.zenith, style.isFlat ? 0.2 : 0.55);
  const far = mix(near, light.horizon, style.isFlat ? 0.35 : 0.65);
  const area = box(0, horizon, width, depth);
  /** Slivers of light around an x, the longer the nearer: `near` is 0 at the horizon and 1 at the viewer. */
  const glints = (count: number, x: (near: number) => number): string =>
    repeat(count * frame.breadth, () => {
      const near = random.next() ** 1.5;
      const length = unit * (0.01 + 0.11 * near) * random.between(0.4, 1.2);
      const thickness = unit * (0.0012 + 0.005 * near);
      const start = path`M${x(near) - length / 2} ${horizon + depth * near}`;
      return path`${start}q${length / 2} ${-thickness} ${length} 0q${-length / 2} ${thickness} ${-length} 0z`;
    });
  const anywhere = glints(style.isBare ? 25 : 80, () => random.next() * width);
  const belowSun = glints(60, (near) => sunX + random.between(-1, 1) * unit * (0.015 + 0.06 * near));
  const flip = path`translate(0 ${2 * horizon}) scale(1 -1)`;
  return (
    tag('g', { id: 'shore' }, shore) +
    shape(area, gradients.vertical([0, far], [1, near])) +
    tag('use', { href: '#shore', transform: flip, opacity: 0.6 }) +
    shape(area, gradients.vertical([0, far, 0.12], [1, near, 0.9])) +
    shape(anywhere, mix(light.horizon, '#ffffff', 0.35), { opacity: 0.3 }) +
    shape(belowSun, light.glow, { opacity: 0.5 })
  );
}
