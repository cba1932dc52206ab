/** A street café: narrow buildings with shops, tables under parasols, a string of lamps. */
import { mix } from './colour';
import { along, thinned } from './frame';
import type { Random } from './random';
import { drawSky, placeSun } from './sky';
import { figure, lit, type Part, type Stage, type Standing } from './stage';
import { box, circle, ellipse, fade, group, line, path, repeat, shape } from './svg';

const WALLS = ['#e8c9a4', '#d9a58a', '#c9b8c4', '#b9c7bd', '#e5d3b8', '#c98f7a', '#a8b6c4'] as const;

/** The colours of awnings and parasols: three in a row, again and again. */
const AWNINGS = ['#c8473c #2f6f73 #d08a3c', '#2f6f73 #c8473c #5a6fa8', '#b8434f #3f7a55 #c8743c'] as const;

/** Draws the motif. */
export function drawCafe(stage: Stage): string {
  const { frame } = stage;
  const random = stage.random.fork('cafe');
  const ground = frame.height * random.between(0.77, 0.81);
  const storey = Math.min(frame.height * 0.205, frame.unit * 0.2);
  const sun = { ...placeSun(stage, ground * 0.6), horizon: ground * 0.8 };
  const awnings = random.pick(AWNINGS).split(' ');
  const awningAt = (index: number): string => awnings.at(index % 3) ?? '#c8473c';
  const breadth = Math.max(storey * random.between(1.25, 1.45), frame.width / 40);
  const taller = frame.height > 1.2 * frame.width ? 1 : 0;
  const facades = along(frame, random.fork('facades'), breadth).map(({ index, x, random: own }) => {
    const facade = { x, ground, width: breadth, storey, storeys: own.whole(2, 3) + taller };
    return drawFacade(stage, own, { ...facade, wall: own.pick(WALLS), awning: awningAt(index) });
  });
  /** One row of tables; `depth` and `size` in storeys, `shift` from 0 to 1 of their distance. */
  const tables = (label: string, depth: number, size: number, shift: number, parasols: number): string => {
    const spacing = thinned(frame, 2.3 * storey);
    const row = along(frame, random.fork(label), spacing, 0.12).map(({ index, x, random: own }) => {
      const parasol = own.chance(parasols) ? awningAt(index) : undefined;
      const standing = { x: x + shift * spacing, y: ground + storey * depth, height: storey * size };
      return drawTable(stage, own, standing, parasol);
    });
    return row.join('');
  };
  return (
    drawSky(stage, sun) +
    facades.join('') +
    drawPavement(stage, ground) +
    tables('back', 0.2, 0.34, 0, 0.5) +
    tables('front', 0.46, 0.44, 0.5, 0.72) +
    drawLampString(stage, ground - storey * 1.62, storey * 0.2, thinned(frame, storey * 1.9))
  );
}

function drawPavement(stage: Stage, ground: number): string {
  const { frame, light, defs, style } = stage;
  const depth = frame.height - ground;
  const stone = lit(stage, '#b8a796');
  const [far, near] = [mix(stone, light.haze, 0.3), mix(stone, light.shade, 0.35)];
  const rows = repeat(7, (row) => path`M0 ${ground + depth * ((row + 1) / 7) ** 1.7}H${frame.width}`);
  const reach = Math.ceil(frame.width / 2 / (0.08 * frame.unit));
  const columns = repeat(2 * reach + 1, (index) => {
    const x = (index - reach) * frame.unit;
    return path`M${frame.centre + x * 0.08} ${ground}L${frame.centre + x * 0.27} ${frame.height}`;
  });
  const lamplight = light.night ? light.accent : light.shade;
  const glow = defs.vertical(ground, ground + depth * 0.5, [0, lamplight, 0.24], [1, light.shade, 0]);
  const width = frame.unit * (style.name === 'illustration' ? 0.0026 : 0.0016);
  return (
    shape(box(0, ground, frame.width, depth), defs.vertical(ground, frame.height, far, near)) +
    line(rows + columns, light.shade, width, { 'stroke-opacity': 0.13 }) +
    shape(box(0, ground, frame.width, depth * 0.5), glow)
  );
}

/** A round table with two chairs, with or without a parasol; y is the ground. */
function drawTable(stage: Stage, random: Random, standing: Standing, parasol: string | undefined): string {
  const { light } = stage;
  const wood = lit(stage, random.pick(['#8a5a3c', '#a8744a', '#6f4a3a']));
  const iron = (width: number) => ({
    stroke: lit(stage, '#33353f'),
    'stroke-width': width,
    'stroke-linecap': 'round',
  });
  const chair: readonly Part[] = [
    ['M.48 0L.5 -.34M.84 0L.82 -.34L.9 -.78', 'none', iron(0.03)],
    ['M.44 -.38H.86V-.32H.44Z', wood],
    ['M.84 -.56L.89 -.8H.94L.89 -.56Z', wood],
  ];
  const shadow = 'M-1.15 .02a1.15 .12 0 1 0 2.3 0a1.15 .12 0 1 0 -2.3 0z';
  const shade: Part = [shadow, light.shade, { 'fill-opacity': 0.2 }];
  const table: readonly Part[] = [
    ['M0 -.5V-.04M-.2 0Q0 -.1 .2 0', 'none', iron(0.045)],
    ['M-.42 -.53a.42 .07 0 0 1 .84 0a.42 .07 0 0 1 -.84 0z', lit(stage, '#efe4d2')],
    ['M-.18 -.64h.13l-.02 .09h-.09zM.08 -.66h.12l-.02 .1h-.08z', lit(stage, '#fffaf2')],
  ];
  const cloth = lit(stage, parasol ?? '#ffffff');
  const pale = lit(stage, '#fbf3e4');
  const canopy: readonly Part[] = [
    ['M0 -2.18Q-.826 -2 -1.18 -1.58Q-.95 -1.66 -.72 -1.58Q-.504 -2 0 -2.18Z', cloth],
    ['M0 -2.18Q.826 -2 1.18 -1.58Q.95 -1.66 .72 -1.58Q.504 -2 0 -2.18Z', mix(cloth, light.shade, 0.16)],
    ['M0 -2.18Q-.504 -2 -.72 -1.58Q-.48 -1.66 -.24 -1.58Q-.168 -2 0 -2.18Z', pale],
    ['M0 -2.18Q.504 -2 .72 -1.58Q.48 -1.66 .24 -1.58Q.168 -2 0 -2.18Z', mix(pale, light.shade, 0.12)],
    ['M0 -2.18Q-.168 -2 -.24 -1.58Q0 -1.66 .24 -1.58Q.168 -2 0 -2.18Z', cloth],
  ];
  const pole: Part = ['M0 0V-2.2', 'none', iron(0.035)];
  return (
    figure(stage, standing, parasol ? [shade, pole] : [shade]) +
    figure(stage, standing, chair, true) +
    figure(stage, standing, parasol ? [...table, ...chair, ...canopy] : [...table, ...chair])
  );
}

/** A string of small lamps across the street; `span` is the distance between two hooks. */
function drawLampString(stage: Stage, y: number, sag: number, span: number): string {
  const { frame, light, defs } = stage;
  const size = frame.unit * 0.0065;
  // One arc is drawn and repeated: its lamps and their glows are most of what the street weighs.
  const lamps = Array.from({ length: 7 }, (_, lamp) => {
    const t = (lamp + 0.5) / 7;
    return { x: span * t, lampY: y + 4 * sag * t * (1 - t) + size * 1.2 };
  });
  const bulbs = lamps.map(({ x, lampY }) => ellipse(x, lampY, size, size * 1.2));
  const glows = (light.night ? lamps : []).map(({ x, lampY }) => {
    const stops = fade(light.accent, [0, 0.6], [1, 0]);
    return circle(x, lampY, size * 6, defs.radial(x, lampY, size * 6, stops));
  });
  const wire = path`M0 ${y}Q${span / 2} ${y + 2 * sag} ${span} ${y}`;
  const arc =
    line(wire, light.shade, frame.unit * 0.0016, { 'stroke-opacity': 0.7 }) +
    glows.join('') +
    shape(bulbs.join(''), mix(light.accent, '#ffffff', light.night ? 0.55 : 0.3));
  const arcs = along(frame, stage.random, span).map(({ x }) =>
    group({ transform: path`translate(${x - span / 2} 0)` }, arc),
  );
  return arcs.join('');
}

/** Where the building stands and its colours; lengths in scene units, `storey` is the height of one. */
type Facade = Record<'x' | 'ground' | 'width' | 'storey' | 'storeys', number> &
  Record<'wall' | 'awning', string>;

function drawFacade(stage: Stage, random: Random, facade: Facade): string {
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
