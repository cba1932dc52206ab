/** Minimal pictures of land: peaks, dunes, a field, a wood, snow. */
import { mix } from '../colour/mix';
import { num } from '../svg/element';
import { polygon } from '../svg/path';
import { accentDisc, disc, ground, type MinimalPainter, measure, type Sheet, shape } from './sheet';

const peak = (sheet: Sheet, x: number, base: number, height: number, lean: number): string =>
  polygon([
    { x: sheet.frame.centre + (x - height * 0.95), y: base },
    { x: sheet.frame.centre + x + lean * height, y: base - height },
    { x: sheet.frame.centre + x + height * 1.05, y: base },
  ]);

export const minimalMountains: MinimalPainter = (sheet) => {
  const { frame, tones, random, side } = sheet;
  const size = measure(sheet);
  const base = frame.height * 0.76;
  const tall = size * random.between(0.3, 0.36);
  return (
    accentDisc(sheet, 0.34) +
    shape(peak(sheet, side * size * 0.2, base, tall * 0.68, 0.06), tones.soft) +
    shape(peak(sheet, -side * size * 0.1, base, tall, -0.05), tones.deep) +
    shape(ground(sheet, [0.76, 0.76]), mix(tones.paper, tones.soft, 0.35))
  );
};

export const minimalDesert: MinimalPainter = (sheet) => {
  const { tones, random, side } = sheet;
  const lift = random.between(0.1, 0.16);
  const levels = [0.78, 0.78 - lift * 0.4, 0.78 - lift, 0.76, 0.82];
  return (
    accentDisc(sheet, 0.36, 0.08) +
    shape(ground(sheet, side > 0 ? levels : [...levels].reverse()), tones.soft) +
    shape(
      ground(sheet, side > 0 ? [0.98, 0.86, 0.83, 0.9, 0.84] : [0.84, 0.9, 0.83, 0.86, 0.98]),
      mix(tones.deep, tones.soft, 0.35),
    )
  );
};

export const minimalMeadow: MinimalPainter = (sheet) => {
  const { frame, tones, random, side } = sheet;
  const size = measure(sheet);
  const hill = shape(
    ground(sheet, side > 0 ? [0.72, 0.77, 0.85, 0.88] : [0.88, 0.85, 0.77, 0.72]),
    tones.soft,
  );
  const flowers = [-0.05, 0.0, 0.06]
    .map((dx, index) => {
      const x = frame.centre - side * 0.16 * size + dx * size;
      const foot = frame.height * 0.8;
      const tall = size * random.between(0.14, 0.24);
      const stem = `M${num(x - size * 0.003)} ${num(foot)}V${num(foot - tall)}h${num(size * 0.006)}V${num(foot)}z`;
      return (
        shape(stem, tones.deep) +
        disc(x, foot - tall, size * (0.022 + 0.006 * index), index === 1 ? tones.deep : tones.accent)
      );
    })
    .join('');
  return flowers + hill;
};

export const minimalForest: MinimalPainter = (sheet) => {
  const { frame, tones, random } = sheet;
  const size = measure(sheet);
  const base = frame.height * 0.78;
  const start = random.between(0, 0.04);
  const trees = [-0.26, -0.13, -0.02, 0.12, 0.25]
    .map((dx, index) => {
      const x = frame.centre + (dx + start) * size;
      const tall = size * random.between(0.2, 0.4);
      const half = size * 0.062;
      const fill = index === 3 ? tones.accent : index % 2 === 0 ? tones.deep : tones.soft;
      return shape(`M${num(x)} ${num(base - tall)}L${num(x + half)} ${num(base)}H${num(x - half)}Z`, fill);
    })
    .join('');
  return trees + shape(ground(sheet, [0.78, 0.78]), mix(tones.paper, tones.soft, 0.35));
};

export const minimalWinter: MinimalPainter = (sheet) => {
  const { frame, tones, side } = sheet;
  const size = measure(sheet);
  const base = frame.height * 0.8;
  const fir = (dx: number, tall: number, fill: string): string => {
    const x = frame.centre - side * 0.14 * size + dx * size;
    const half = tall * size * 0.24;
    return shape(
      `M${num(x)} ${num(base - tall * size)}L${num(x + half)} ${num(base)}H${num(x - half)}Z`,
      fill,
    );
  };
  return (
    accentDisc(sheet, 0.34, 0.055) +
    fir(0, 0.3, tones.deep) +
    fir(0.1, 0.19, tones.soft) +
    shape(ground(sheet, side > 0 ? [0.77, 0.79, 0.84, 0.8] : [0.8, 0.84, 0.79, 0.77]), '#fdfdfc')
  );
};
