/** Minimal pictures of a town, a cup of coffee, the night, a planet, and of nothing in particular. */
import { mix } from '../colour/mix';
import { createRandom } from '../random/random';
import { element, num } from '../svg/element';
import { box } from '../svg/path';
import { accentDisc, disc, ground, type MinimalPainter, measure, shape } from './sheet';

export const minimalCity: MinimalPainter = (sheet) => {
  const { frame, tones, random } = sheet;
  const size = measure(sheet);
  const base = frame.height * 0.78;
  const blocks = [-0.3, -0.2, -0.08, 0.03, 0.13, 0.23].map((dx, index) => {
    const width = size * random.between(0.07, 0.11);
    const height = size * random.between(0.14, 0.42);
    const fill =
      index % 3 === 1 ? tones.soft : index % 3 === 2 ? tones.deep : mix(tones.soft, tones.deep, 0.5);
    return shape(box(frame.centre + dx * size, base - height, width, height), fill);
  });
  return (
    accentDisc(sheet, 0.28, 0.05) +
    blocks.join('') +
    shape(ground(sheet, [0.78, 0.78]), mix(tones.paper, tones.soft, 0.35))
  );
};

export const minimalCafe: MinimalPainter = (sheet) => {
  const { frame, tones, side } = sheet;
  const size = measure(sheet) * 0.9;
  const base = frame.height * 0.72;
  const x = frame.centre;
  const w = size * 0.13;
  const h = size * 0.19;
  const cup = `M${num(x - w)} ${num(base - h)}H${num(x + w)}Q${num(x + w)} ${num(base)} ${num(x + w * 0.4)} ${num(base)}H${num(x - w * 0.4)}Q${num(x - w)} ${num(base)} ${num(x - w)} ${num(base - h)}Z`;
  const handle = element('circle', {
    cx: x + side * w * 1.02,
    cy: base - h * 0.62,
    r: h * 0.24,
    fill: 'none',
    stroke: tones.deep,
    'stroke-width': size * 0.022,
  });
  const steam = [-0.4, 0.1]
    .map((dx) =>
      element('path', {
        d: `M${num(x + dx * w)} ${num(base - h * 1.2)}q${num(w * 0.4)} ${num(-h * 0.24)} 0 ${num(-h * 0.48)}t0 ${num(-h * 0.48)}`,
        fill: 'none',
        stroke: tones.accent,
        'stroke-width': size * 0.012,
        'stroke-linecap': 'round',
      }),
    )
    .join('');
  return steam + handle + shape(cup, tones.deep) + shape(ground(sheet, [0.72, 0.72]), tones.soft);
};

export const minimalNight: MinimalPainter = (sheet) => {
  const { frame, tones, side, random } = sheet;
  const size = measure(sheet);
  const paper = element('rect', { width: frame.width, height: frame.height, fill: tones.deep });
  const x = frame.centre + side * 0.17 * size;
  const y = frame.height * 0.32;
  const stars = Array.from({ length: 9 }, () =>
    disc(
      random.next() * frame.width,
      frame.height * random.between(0.08, 0.6),
      size * random.between(0.003, 0.006),
      tones.paper,
    ),
  ).join('');
  return (
    paper +
    stars +
    disc(x, y, size * 0.075, tones.accent) +
    disc(x + side * size * 0.032, y - size * 0.014, size * 0.066, tones.deep) +
    shape(
      ground(sheet, side > 0 ? [0.76, 0.8, 0.88, 0.86] : [0.86, 0.88, 0.8, 0.76]),
      mix(tones.soft, tones.deep, 0.55),
    )
  );
};

export const minimalSpace: MinimalPainter = (sheet) => {
  const { frame, tones, side } = sheet;
  const size = measure(sheet);
  const r = size * 0.17;
  const x = frame.centre;
  const y = frame.height * 0.52;
  const ring = element('ellipse', {
    cx: x,
    cy: y,
    rx: r * 1.75,
    ry: r * 0.42,
    fill: 'none',
    stroke: tones.soft,
    'stroke-width': size * 0.016,
  });
  const tilted = (children: string): string =>
    element('g', { transform: `rotate(${-side * 18} ${num(x)} ${num(y)})` }, children);
  const front = sheet.canvas.clip(box(x - 2 * r, y, 4 * r, r));
  return (
    tilted(ring) +
    disc(x, y, r, tones.deep) +
    tilted(element('g', { 'clip-path': front }, ring)) +
    disc(x + side * size * 0.3, y - size * 0.24, size * 0.032, tones.accent)
  );
};

export const minimalAbstract: MinimalPainter = (sheet) => {
  const { frame, tones, side, words, random } = sheet;
  const size = measure(sheet);
  const form = createRandom(`minimal/${[...words].join(' ')}`);
  const x = frame.centre;
  const y = frame.height * 0.52;
  const r = size * random.between(0.17, 0.21);
  const half = (turn: number, fill: string, dx: number, dy: number): string =>
    element('path', {
      d: `M${num(-r)} 0a${num(r)} ${num(r)} 0 0 1 ${num(2 * r)} 0z`,
      fill,
      transform: `translate(${num(x + dx * r)} ${num(y + dy * r)}) rotate(${turn})`,
    });
  const square = (fill: string, dx: number, dy: number): string =>
    shape(box(x + dx * r - r / 2, y + dy * r - r / 2, r, r), fill);
  const forms = [
    () =>
      half(0, tones.deep, -side * 0.5, 0) +
      half(180, tones.soft, side * 0.5, 0) +
      disc(x + side * r * 1.1, y - r * 0.75, r * 0.26, tones.accent),
    () =>
      disc(x - side * r * 0.45, y, r, tones.soft) +
      square(tones.deep, side * 0.75, 0.5) +
      disc(x + side * r * 0.75, y - r * 0.5, r * 0.28, tones.accent),
    () =>
      half(90, tones.deep, side * 0.06, 0) +
      half(-90, tones.soft, -side * 0.06, 0.5) +
      disc(x - side * r * 1.3, y - r * 0.9, r * 0.2, tones.accent),
    () =>
      square(tones.soft, -0.55, -0.3) +
      half(0, tones.deep, 0.2, 0.7) +
      disc(x + r * 0.55, y - r * 0.55, r * 0.34, tones.accent),
  ] as const;
  return form.pick(forms)();
};
