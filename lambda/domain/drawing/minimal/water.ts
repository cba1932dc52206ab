/** Minimal pictures of water: sea, beach, lake, fall. */
import { mix } from '../colour/mix';
import { num } from '../svg/element';
import { box, polygon } from '../svg/path';
import { accentDisc, ground, type MinimalPainter, measure, shape } from './sheet';

export const minimalSea: MinimalPainter = (sheet) => {
  const { frame, tones, random, side } = sheet;
  const size = measure(sheet);
  const horizon = frame.height * random.between(0.6, 0.66);
  const r = size * 0.11;
  const x = frame.centre + side * 0.14 * size;
  return (
    shape(`M${num(x - r)} ${num(horizon)}a${num(r)} ${num(r)} 0 0 1 ${num(2 * r)} 0z`, tones.accent) +
    shape(box(0, horizon, frame.width, frame.height - horizon), tones.soft) +
    shape(ground(sheet, [0.86, 0.83, 0.87, 0.84, 0.88]), tones.deep)
  );
};

export const minimalBeach: MinimalPainter = (sheet) => {
  const { frame, tones, side } = sheet;
  const horizon = frame.height * 0.58;
  return (
    accentDisc(sheet, 0.32) +
    shape(box(0, horizon, frame.width, frame.height - horizon), tones.deep) +
    shape(
      ground(sheet, side > 0 ? [0.66, 0.74, 0.8, 0.92] : [0.92, 0.8, 0.74, 0.66]),
      mix(tones.soft, tones.paper, 0.35),
    )
  );
};

export const minimalLake: MinimalPainter = (sheet) => {
  const { frame, tones, side, random } = sheet;
  const size = measure(sheet);
  const line = frame.height * 0.6;
  const tall = size * random.between(0.22, 0.28);
  const mountain = (direction: 1 | -1): string =>
    polygon(
      [
        { x: frame.centre - size * 0.42, y: line },
        { x: frame.centre - side * size * 0.1, y: line - direction * tall },
        { x: frame.centre + side * size * 0.06, y: line - direction * tall * 0.52 },
        { x: frame.centre + side * size * 0.16, y: line - direction * tall * 0.72 },
        { x: frame.centre + size * 0.42, y: line },
      ].sort((a, b) => a.x - b.x),
    );
  return (
    accentDisc(sheet, 0.27, 0.05) +
    shape(mountain(1), tones.deep) +
    shape(box(0, line, frame.width, frame.height - line), mix(tones.paper, tones.soft, 0.45)) +
    shape(mountain(-1), mix(tones.soft, tones.deep, 0.22))
  );
};

export const minimalFall: MinimalPainter = (sheet) => {
  const { frame, tones, side } = sheet;
  const size = measure(sheet);
  const x = frame.centre - side * size * 0.06;
  const half = size * 0.055;
  const top = frame.height * 0.4;
  const pool = frame.height * 0.8;
  return (
    accentDisc(sheet, 0.24, 0.05) +
    shape(
      `${box(0, top, x - half, pool - top)}${box(x + half, top * 0.9, frame.width - x - half, pool - top * 0.9)}`,
      tones.deep,
    ) +
    shape(box(x - half, top * 1.04, 2 * half, pool - top), mix(tones.paper, '#ffffff', 0.6)) +
    shape(box(0, pool, frame.width, frame.height - pool), tones.soft)
  );
};

export const minimalRiver: MinimalPainter = (sheet) => {
  const { frame, tones, side } = sheet;
  const size = measure(sheet);
  const top = frame.height * 0.62;
  const tall = frame.height - top;
  const x = frame.centre;
  const at = (dx: number, t: number): string => `${num(x + side * dx * size)} ${num(top + t * tall)}`;
  const river =
    `M${at(0.06, 0)}C${at(0.16, 0.2)} ${at(-0.16, 0.3)} ${at(-0.1, 0.52)}C${at(-0.06, 0.7)} ${at(0.1, 0.8)} ${at(0.02, 1)}` +
    `L${at(0.3, 1)}C${at(0.3, 0.74)} ${at(0.02, 0.66)} ${at(0, 0.5)}C${at(-0.02, 0.34)} ${at(0.19, 0.2)} ${at(0.075, 0)}Z`;
  return (
    accentDisc(sheet, 0.34) +
    shape(ground(sheet, side > 0 ? [0.66, 0.58, 0.62, 0.6] : [0.6, 0.62, 0.58, 0.66]), tones.soft) +
    shape(river, mix(tones.paper, '#ffffff', 0.5)) +
    shape(ground(sheet, [0.97, 0.99]), tones.deep)
  );
};
