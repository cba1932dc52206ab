/** A narrow building with a shop below: door, shop window, striped awning, shuttered windows above. */
import { mix } from './colour';
import type { Random } from './random';
import { box } from './shapes';
import { lit, type Stage } from './stage';
import { path, repeat, shape } from './svg';

/** Where the building stands and its colours; lengths in scene units, `storey` is the height of one. */
export interface Facade {
  readonly x: number;
  readonly ground: number;
  readonly width: number;
  readonly storey: number;
  readonly storeys: number;
  readonly wall: string;
  readonly awning: string;
}

/** Draws the building. */
export function drawFacade(stage: Stage, random: Random, facade: Facade): string {
  const { x, ground, width, storey, storeys } = facade;
  const { light, style, defs } = stage;
  const edge = style.edge(stage, 0.5);
  const top = ground - storey * (storeys + 0.12);
  const eaves = storey * 0.5;
  const wall = lit(stage, facade.wall, 0.04);
  const fill = defs.vertical(top, ground, mix(wall, light.glow, 0.16), mix(wall, light.shade, 0.16));
  const slate = lit(stage, random.pick(['#5d6478', '#7a5a58', '#6a6f72']), 0.1);
  const glass = mix(light.night ? light.accent : lit(stage, '#8fa6bd', 0.05), slate, 0.15);
  const ridge = path`L${x + width * 0.07} ${top - eaves}H${x + width * 0.93}`;
  const roof = path`M${x - width * 0.012} ${top + 1}${ridge}L${x + width * 1.012} ${top + 1}Z`;
  const dormer = (at: number): string => {
    const arch = path`a${width * 0.07} ${eaves * 0.22} 0 0 1 ${width * 0.14} 0`;
    return path`M${x + width * (at - 0.07)} ${top - eaves * 0.08}v${-eaves * 0.5}${arch}v${eaves * 0.5}z`;
  };
  const chimney = box(x + width * random.between(0.12, 0.78), top - eaves * 1.4, width * 0.09, eaves * 0.6);
  const cornices =
    box(x - width * 0.012, top, width * 1.024, storey * 0.07) +
    box(x, ground - storey * 1.06, width, storey * 0.05);
  return (
    shape(chimney, mix(wall, light.shade, 0.3), edge) +
    shape(roof, slate, edge) +
    shape(dormer(0.3) + dormer(0.7), glass, edge) +
    shape(box(x, top, width + 0.6, ground - top), fill, edge) +
    shape(cornices, lit(stage, mix(facade.wall, '#ffffff', 0.5)), edge) +
    drawUpperWindows(stage, random.fork('windows'), facade) +
    drawShop(stage, random.chance(0.5), facade) +
    drawAwning(stage, facade)
  );
}

function drawUpperWindows(stage: Stage, random: Random, facade: Facade): string {
  const { light, style } = stage;
  const { x, ground, width, storey, storeys, wall } = facade;
  const columns = Math.max(3, Math.round(width / (storey * 0.48)));
  const w = (width / columns) * 0.45;
  const h = storey * 0.44;
  let [glass, lamps, shutters, sills] = ['', '', '', ''];
  for (let level = 1; level < storeys; level += 1) {
    for (let column = 0; column < columns; column += 1) {
      const cx = x + (width * (column + 0.5)) / columns;
      const y = ground - storey * (level + 0.92);
      const pane = box(cx - w / 2, y, w, h);
      if (light.night && random.chance(0.5)) lamps += pane;
      else glass += pane;
      for (const left of [-0.98, 0.54]) shutters += box(cx + w * left, y - h * 0.02, w * 0.44, h * 1.04);
      sills += box(cx - w * 0.7, y + h, w * 1.4, h * 0.07);
    }
  }
  const edge = style.edge(stage, 0.4);
  const paint = lit(stage, random.pick(['#5f7f78', '#6f7f9a', '#7a5a50', '#8a9a78']), 0.06);
  return (
    shape(glass, lit(stage, mix(light.sky[1], '#4a5f78', 0.5), 0.05), edge) +
    shape(lamps, mix(light.accent, '#ffffff', 0.2), edge) +
    shape(shutters, paint, edge) +
    shape(sills, lit(stage, mix(wall, '#ffffff', 0.45)), edge)
  );
}

function drawShop(stage: Stage, doorLeft: boolean, { x, ground, width, storey, awning }: Facade): string {
  const { light, style, defs } = stage;
  const edge = style.edge(stage, 0.5);
  const inside = (day: string, lamp: string, amount: number): string =>
    light.night ? mix(light.accent, lamp, amount) : mix(day, light.tint, light.tintAmount * 0.5);
  const [upper, lower] = [inside('#f2c98a', '#ffffff', 0.25), inside('#9a6a4a', '#a0522d', 0.35)];
  const [left, span, door] = [x + width * 0.08, width * 0.84, width * 0.2];
  const doorX = doorLeft ? left + width * 0.04 : left + span - door - width * 0.04;
  const windowX = doorLeft ? doorX + door + width * 0.05 : left + width * 0.04;
  const pane = (span - door - width * 0.13) / 3;
  const panes = repeat(3, (index) =>
    box(windowX + pane * index + 1.5, ground - storey * 0.74, pane - 3, storey * 0.56),
  );
  const doorPane = box(doorX + door * 0.14, ground - storey * 0.72, door * 0.72, storey * 0.5);
  const front = box(left, ground - storey * 0.9, span, storey * 0.9);
  return (
    shape(front, lit(stage, mix(awning, '#2a2430', 0.62)), edge) +
    shape(panes + doorPane, defs.vertical(ground - storey * 0.8, ground, upper, lower), edge)
  );
}

function drawAwning(stage: Stage, { x, ground, width, storey, awning }: Facade): string {
  const top = ground - storey * 0.96;
  const drop = storey * 0.2;
  const out = storey * 0.05;
  const [left, span] = [x + width * 0.06, width * 0.88];
  const upper = (t: number): string => path`${left + out + (span - 2 * out) * t} ${top}`;
  const lower = (t: number): string => path`${left - out + (span + 2 * out) * t} ${top + drop}`;
  const scallop = (span + 2 * out) / 18;
  const hem = path`a${scallop} ${scallop * 0.8} 0 0 1 ${-2 * scallop} 0Z`;
  const stripe = (at: number): string =>
    `M${upper(at / 9)}L${upper((at + 1) / 9)}L${lower((at + 1) / 9)}${hem}`;
  const shadow = box(left - out, top + drop, span + 2 * out, storey * 0.16);
  const edge = stage.style.edge(stage, 0.5);
  return (
    shape(shadow, stage.light.shade, { 'fill-opacity': 0.22 }) +
    shape([0, 2, 4, 6, 8].map(stripe).join(''), lit(stage, awning), edge) +
    shape([1, 3, 5, 7].map(stripe).join(''), lit(stage, '#fbf3e4'), edge)
  );
}
