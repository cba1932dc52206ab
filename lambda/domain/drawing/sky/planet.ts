/** A planet: banded, lit from one side, with air round it and perhaps rings. */
import { adjust, fromHue, mix } from '../colour/mix';
import { createNoise } from '../random/noise';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { curve, curveOn, ellipse, type Point } from '../svg/path';

/** Where the planet hangs; angles in degrees, `sunwards` points to the light, clockwise from the right. */
export interface Planet {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly hue: number;
  readonly sunwards: number;
  readonly rings: boolean;
}

function bands(stage: Stage, { label, x, y, radius, hue }: Planet): string {
  const random = stage.random.fork(`bands-${label}`);
  const noise = createNoise(random);
  const count = 7;
  let marks = '';
  for (let index = 0; index < count; index += 1) {
    const level = -0.86 + (1.72 * (index + random.between(-0.25, 0.25))) / count;
    const thick = random.between(0.05, 0.16) * radius;
    const line = (offset: number, seed: number): Point[] =>
      Array.from({ length: 9 }, (_, step) => {
        const t = step / 4 - 1;
        return {
          x: x + t * radius * 1.02,
          y: y + level * radius + offset + radius * (0.05 * noise(t * 2.4 + seed) + 0.1 * (1 - t * t)),
        };
      });
    const upper = line(0, index * 7);
    const lower = line(thick, index * 7 + 3).reverse();
    const turn = lower[0] ?? { x, y };
    const colour = fromHue(random.between(0.55, 0.8), 0.1, hue + random.between(-28, 28));
    marks += element('path', {
      d: `${curve(upper)}L${num(turn.x)} ${num(turn.y)}${curveOn(lower)}Z`,
      fill: colour,
      'fill-opacity': 0.55,
    });
  }
  return marks;
}

function ring(stage: Stage, { x, y, radius, hue }: Planet, front: boolean): string {
  const tilt = 'rotate(-18)';
  const half = front
    ? `M${num(-radius * 3)} 0H${num(radius * 3)}V${num(radius * 3)}H${num(-radius * 3)}Z`
    : `M${num(-radius * 3)} 0H${num(radius * 3)}V${num(-radius * 3)}H${num(-radius * 3)}Z`;
  const clip = stage.canvas.clip(half);
  const circles = [
    [1.42, 0.06, 0.45],
    [1.58, 0.12, 0.8],
    [1.76, 0.07, 0.6],
    [1.9, 0.025, 0.4],
  ]
    .map(([reach = 1, width = 0, opacity = 0]) =>
      element('ellipse', {
        cx: 0,
        cy: 0,
        rx: radius * reach,
        ry: radius * reach * 0.26,
        fill: 'none',
        stroke: fromHue(0.82, 0.06, hue + 25),
        'stroke-width': radius * width * 0.7,
        'stroke-opacity': opacity,
      }),
    )
    .join('');
  return element(
    'g',
    { transform: `translate(${num(x)} ${num(y)}) ${tilt}` },
    element('g', { 'clip-path': clip }, circles),
  );
}

/** Draws the planet. */
export function drawPlanet(stage: Stage, planet: Planet): string {
  const { canvas, look } = stage;
  const { x, y, radius, hue, sunwards, rings } = planet;
  const angle = (sunwards * Math.PI) / 180;
  const lightX = x + Math.cos(angle) * radius * 0.75;
  const lightY = y + Math.sin(angle) * radius * 0.75;
  const body = fromHue(0.7, 0.1, hue);
  const air = fromHue(0.8, 0.12, hue + 30);
  const disc = ellipse(x, y, radius);
  const shadow = canvas.radial(lightX, lightY, radius * 1.9, [
    [0, '#000010', 0],
    [0.38, '#000010', 0.08],
    [0.66, '#000010', 0.62],
    [0.9, '#000010', 0.93],
  ]);
  const halo = canvas.radial(
    x + Math.cos(angle) * radius * 0.12,
    y + Math.sin(angle) * radius * 0.12,
    radius * 1.32,
    [
      [0.7, air, 0.5],
      [0.82, air, 0.2],
      [1, air, 0],
    ],
  );
  return (
    element('circle', { cx: x, cy: y, r: radius * 1.5, fill: halo }) +
    (rings ? ring(stage, planet, false) : '') +
    element('path', {
      d: disc,
      fill: canvas.linear(x, y - radius, x, y + radius, [
        [0, adjust(body, 1.12)],
        [1, mix(body, '#20103a', 0.25)],
      ]),
      ...look.edge(stage),
    }) +
    element('g', { 'clip-path': canvas.clip(disc) }, bands(stage, planet)) +
    element('path', { d: disc, fill: shadow }) +
    (rings ? ring(stage, planet, true) : '')
  );
}
