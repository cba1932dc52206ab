/** A narrow house with a shop below: door, shop window, striped awning, shuttered windows above. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Random } from '../random/random';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { box } from '../svg/path';

/** Where the house stands and what it is painted in; lengths in picture units. */
export interface HouseFront {
  readonly x: number;
  readonly ground: number;
  readonly width: number;
  readonly storey: number;
  readonly storeys: number;
  readonly wall: string;
  readonly awning: string;
}

function awning(stage: Stage, { x, ground, width, storey, awning: colour }: HouseFront): string {
  const { light, look } = stage;
  const top = ground - storey * 0.96;
  const drop = storey * 0.2;
  const left = x + width * 0.06;
  const span = width * 0.88;
  const stripes = 9;
  const out = storey * 0.05;
  let dark = '';
  let pale = '';
  for (let index = 0; index < stripes; index += 1) {
    const a = index / stripes;
    const b = (index + 1) / stripes;
    const upper = (t: number): number => left + out + (span - 2 * out) * t;
    const lower = (t: number): number => left - out + (span + 2 * out) * t;
    const scallop = (lower(b) - lower(a)) / 2;
    const d = `M${num(upper(a))} ${num(top)}L${num(upper(b))} ${num(top)}L${num(lower(b))} ${num(top + drop)}a${num(scallop)} ${num(scallop * 0.8)} 0 0 1 ${num(-2 * scallop)} 0Z`;
    if (index % 2 === 0) dark += d;
    else pale += d;
  }
  const edge = look.edge(stage, 0.5);
  const shadow = element('path', {
    d: box(left - out, top + drop, span + 2 * out, storey * 0.16),
    fill: light.shade,
    'fill-opacity': 0.22,
  });
  return (
    shadow +
    element('path', { d: dark, fill: lit(stage, colour, 0), ...edge }) +
    element('path', { d: pale, fill: lit(stage, '#fbf3e4', 0), ...edge })
  );
}

function upperWindows(stage: Stage, random: Random, house: HouseFront): string {
  const { x, ground, width, storey, storeys, wall } = house;
  const { light, look } = stage;
  const columns = Math.max(3, Math.round(width / (storey * 0.48)));
  const w = (width / columns) * 0.45;
  const h = storey * 0.44;
  let glass = '';
  let lamps = '';
  let shutters = '';
  let sills = '';
  for (let level = 1; level < storeys; level += 1) {
    for (let column = 0; column < columns; column += 1) {
      const cx = x + (width * (column + 0.5)) / columns;
      const y = ground - storey * (level + 0.92);
      const pane = box(cx - w / 2, y, w, h);
      if (light.night && random.chance(0.5)) lamps += pane;
      else glass += pane;
      shutters +=
        box(cx - w * 0.98, y - h * 0.02, w * 0.44, h * 1.04) +
        box(cx + w * 0.54, y - h * 0.02, w * 0.44, h * 1.04);
      sills += box(cx - w * 0.7, y + h, w * 1.4, h * 0.07);
    }
  }
  const edge = look.edge(stage, 0.4);
  const shutter = lit(stage, random.pick(['#5f7f78', '#6f7f9a', '#7a5a50', '#8a9a78']), 0.06);
  const draw = (d: string, fill: string): string => (d === '' ? '' : element('path', { d, fill, ...edge }));
  return (
    draw(glass, lit(stage, mix(light.sky[1], '#4a5f78', 0.5), 0.05)) +
    draw(lamps, mix(light.accent, '#ffffff', 0.2)) +
    draw(shutters, shutter) +
    draw(sills, lit(stage, mix(wall, '#ffffff', 0.45), 0))
  );
}

/** Draws the house. */
export function drawHouseFront(stage: Stage, random: Random, house: HouseFront): string {
  const { x, ground, width, storey, storeys } = house;
  const { light, look, canvas } = stage;
  const top = ground - storey * (storeys + 0.12);
  const edge = look.edge(stage, 0.5);
  const wall = lit(stage, house.wall, 0.04);
  const fill = canvas.linear(0, top, 0, ground, [
    [0, mix(wall, light.glow, 0.16)],
    [1, mix(wall, light.shade, 0.16)],
  ]);
  const draw = (d: string, paint: string): string => element('path', { d, fill: paint, ...edge });
  const trim = lit(stage, mix(house.wall, '#ffffff', 0.5), 0);
  const wood = lit(stage, mix(house.awning, '#2a2430', 0.62), 0);
  const room = canvas.linear(0, ground - storey * 0.8, 0, ground, [
    [
      0,
      light.night ? mix(light.accent, '#ffffff', 0.25) : mix('#f2c98a', light.tint, light.tintAmount * 0.5),
    ],
    [
      1,
      light.night ? mix(light.accent, '#a0522d', 0.35) : mix('#9a6a4a', light.tint, light.tintAmount * 0.5),
    ],
  ]);
  const shop = { left: x + width * 0.08, width: width * 0.84, top: ground - storey * 0.9 };
  const doorLeft = random.chance(0.5);
  const door = width * 0.2;
  const doorX = doorLeft ? shop.left + width * 0.04 : shop.left + shop.width - door - width * 0.04;
  const glassX = doorLeft ? doorX + door + width * 0.05 : shop.left + width * 0.04;
  const glassWidth = shop.width - door - width * 0.13;
  const panes = [0, 1, 2]
    .map((pane) =>
      box(glassX + (glassWidth / 3) * pane + 1.5, ground - storey * 0.74, glassWidth / 3 - 3, storey * 0.56),
    )
    .join('');
  const slate = lit(stage, random.pick(['#5d6478', '#7a5a58', '#6a6f72']), 0.1);
  const eaves = storey * 0.5;
  const roof = `M${num(x - width * 0.012)} ${num(top + 1)}L${num(x + width * 0.07)} ${num(top - eaves)}H${num(x + width * 0.93)}L${num(x + width * 1.012)} ${num(top + 1)}Z`;
  const dormers = [0.3, 0.7]
    .map(
      (at) =>
        `M${num(x + width * (at - 0.07))} ${num(top - eaves * 0.08)}v${num(-eaves * 0.5)}a${num(width * 0.07)} ${num(eaves * 0.22)} 0 0 1 ${num(width * 0.14)} 0v${num(eaves * 0.5)}z`,
    )
    .join('');
  const chimney = box(x + width * random.between(0.12, 0.78), top - eaves * 1.4, width * 0.09, eaves * 0.6);
  return (
    draw(chimney, mix(wall, light.shade, 0.3)) +
    draw(roof, slate) +
    draw(dormers, mix(light.night ? light.accent : lit(stage, '#8fa6bd', 0.05), slate, 0.15)) +
    draw(box(x, top, width + 0.6, ground - top), fill) +
    draw(
      box(x - width * 0.012, top, width * 1.024, storey * 0.07) +
        box(x, ground - storey * 1.06, width, storey * 0.05),
      trim,
    ) +
    upperWindows(stage, random.fork('windows'), house) +
    draw(box(shop.left, shop.top, shop.width, ground - shop.top), wood) +
    draw(panes + box(doorX + door * 0.14, ground - storey * 0.72, door * 0.72, storey * 0.5), room) +
    awning(stage, house)
  );
}
