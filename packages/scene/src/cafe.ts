/** A street café: narrow buildings with shops, tables under parasols, a string of lamps. */
import { mix } from './colour';
import type { Random } from './random';
import { along, edgeOf, type Footing, figure, lit, type Part, type Scene, thinned } from './scene';
import { drawSky, glow, placeSun } from './sky';
import { box, ellipse, group, line, path, repeat, shape } from './svg';

const WALLS = ['#e8c9a4', '#d9a58a', '#c9b8c4', '#b9c7bd', '#e5d3b8', '#c98f7a', '#a8b6c4'] as const;

/** The colours of awnings and parasols: three in a row, again and again. */
const AWNINGS = ['#c8473c #2f6f73 #d08a3c', '#2f6f73 #c8473c #5a6fa8', '#b8434f #3f7a55 #c8743c'] as const;

const PALE = '#fbf3e4';
const SHADOW = 'M-1.15 .02a1.15 .12 0 1 0 2.3 0a1.15 .12 0 1 0 -2.3 0z';

/** The panels of a parasol from left to right: their outlines, whether pale, how much shaded. */
const PANELS = [
  ['M0 -2.18Q-.826 -2 -1.18 -1.58Q-.95 -1.66 -.72 -1.58Q-.504 -2 0 -2.18Z', false, 0],
  ['M0 -2.18Q-.504 -2 -.72 -1.58Q-.48 -1.66 -.24 -1.58Q-.168 -2 0 -2.18Z', true, 0],
  ['M0 -2.18Q-.168 -2 -.24 -1.58Q0 -1.66 .24 -1.58Q.168 -2 0 -2.18Z', false, 0],
  ['M0 -2.18Q.504 -2 .72 -1.58Q.48 -1.66 .24 -1.58Q.168 -2 0 -2.18Z', true, 0.12],
  ['M0 -2.18Q.826 -2 1.18 -1.58Q.95 -1.66 .72 -1.58Q.504 -2 0 -2.18Z', false, 0.16],
] as const;

/** Draws the subject. */
export function drawCafe(scene: Scene): string {
  const { frame } = scene;
  const random = scene.random.fork('cafe');
  const ground = frame.height * random.between(0.77, 0.81);
  const storey = Math.min(frame.height * 0.205, frame.unit * 0.2);
  const sun = { ...placeSun(scene, ground * 0.6), horizon: ground * 0.8 };
  const awnings = random.pick(AWNINGS).split(' ');
  const awningAt = (index: number): string => awnings.at(index % 3) ?? PALE;
  const width = Math.max(storey * random.between(1.25, 1.45), frame.width / 40);
  const taller = frame.height > 1.2 * frame.width ? 1 : 0;
  const facades = along(frame, random.fork('facades'), width).map(({ index, x, random: own }) => {
    const facade = { x, ground, width, storey, storeys: own.whole(2, 3) + taller };
    return drawFacade(scene, own, { ...facade, wall: own.pick(WALLS), awning: awningAt(index) });
  });
  /** One row of tables; `depth` and `size` in storeys, `shift` from 0 to 1 of their distance. */
  const tables = (label: string, depth: number, size: number, shift: number, parasols: number): string => {
    const spacing = thinned(frame, 2.3 * storey);
    const row = along(frame, random.fork(label), spacing, 0.12).map(({ index, x, random: own }) => {
      const footing = { x: x + shift * spacing, y: ground + storey * depth, height: storey * size };
      return drawTable(scene, own, footing, own.chance(parasols) ? awningAt(index) : undefined);
    });
    return row.join('');
  };
  return (
    drawSky(scene, sun) +
    facades.join('') +
    drawPavement(scene, ground) +
    tables('back', 0.2, 0.34, 0, 0.5) +
    tables('front', 0.46, 0.44, 0.5, 0.72) +
    drawLampString(scene, ground - storey * 1.62, storey * 0.2, thinned(frame, storey * 1.9))
  );
}

function drawPavement(scene: Scene, ground: number): string {
  const { frame, light, defs } = scene;
  const depth = frame.height - ground;
  const stone = lit(scene, '#b8a796');
  const [far, near] = [mix(stone, light.haze, 0.3), mix(stone, light.shade, 0.35)];
  const rows = repeat(7, (row) => path`M0 ${ground + depth * ((row + 1) / 7) ** 1.7}H${frame.width}`);
  const columns = along(frame, scene.random, 0.08 * frame.unit).map(({ x }) => {
    const end = frame.centre + (x - frame.centre) * 3.4;
    return path`M${x} ${ground}L${end} ${frame.height}`;
  });
  const lamplight = light.night ? light.accent : light.shade;
  const glow = defs.vertical(ground, ground + depth * 0.5, [0, lamplight, 0.24], [1, light.shade, 0]);
  const joints = { 'stroke-opacity': 0.13 };
  return (
    shape(box(0, ground, frame.width, depth), defs.vertical(ground, frame.height, far, near)) +
    line(rows + columns.join(''), light.shade, frame.unit * 0.002, joints) +
    shape(box(0, ground, frame.width, depth * 0.5), glow)
  );
}

/** A round table with two chairs, with or without a parasol; y is the ground. */
function drawTable(scene: Scene, random: Random, footing: Footing, parasol: string | undefined): string {
  const { light } = scene;
  const wood = lit(scene, random.pick(['#8a5a3c', '#a8744a', '#6f4a3a']));
  const iron = (data: string, width: number): Part => {
    const stroke = lit(scene, '#33353f');
    return [data, 'none', { stroke, 'stroke-width': width, 'stroke-linecap': 'round' }];
  };
  const chair: readonly Part[] = [
    iron('M.48 0L.5 -.34M.84 0L.82 -.34L.9 -.78', 0.03),
    ['M.44 -.38H.86V-.32H.44ZM.84 -.56L.89 -.8H.94L.89 -.56Z', wood],
  ];
  const table: readonly Part[] = [
    iron('M0 -.5V-.04M-.2 0Q0 -.1 .2 0', 0.045),
    ['M-.42 -.53a.42 .07 0 0 1 .84 0a.42 .07 0 0 1 -.84 0z', lit(scene, '#efe4d2')],
    ['M-.18 -.64h.13l-.02 .09h-.09zM.08 -.66h.12l-.02 .1h-.08z', lit(scene, '#fffaf2')],
  ];
  const shade: Part = [SHADOW, light.shade, { opacity: 0.2 }];
  const canopy = PANELS.map(([data, striped, shaded]): Part => {
    const colour = lit(scene, striped ? PALE : (parasol ?? PALE));
    return [data, mix(colour, light.shade, shaded)];
  });
  return (
    figure(scene, footing, parasol ? [shade, iron('M0 0V-2.2', 0.035)] : [shade]) +
    figure(scene, footing, chair, true) +
    figure(scene, footing, [...table, ...chair, ...(parasol ? canopy : [])])
  );
}

/** A string of small lamps across the street; `span` is the distance between two hooks. */
function drawLampString(scene: Scene, y: number, sag: number, span: number): string {
  const { frame, light } = scene;
  const size = frame.unit * 0.0065;
  // One arc is drawn and repeated: its lamps and their glows are most of what the street weighs.
  const lamps = repeat(7, (index) => {
    const t = (index + 0.5) / 7;
    const lamp = { x: span * t, y: y + 4 * sag * t * (1 - t) + size * 1.2, radius: size * 7 };
    const bulb = shape(ellipse(lamp.x, lamp.y, size, size * 1.2), mix(light.accent, '#ffffff', 0.5));
    return (light.night ? glow(scene, lamp, light.accent, 0.6) : '') + bulb;
  });
  const wire = path`M0 ${y}Q${span / 2} ${y + 2 * sag} ${span} ${y}`;
  const arc = line(wire, light.shade, frame.unit * 0.0016, { 'stroke-opacity': 0.7 }) + lamps;
  const arcs = along(frame, scene.random, span).map(({ x }) =>
    group({ transform: path`translate(${x - span / 2} 0)` }, arc),
  );
  return arcs.join('');
}

/** Where the building stands and its colours; lengths in scene units, `storey` is the height of one. */
type Facade = Record<'x' | 'ground' | 'width' | 'storey' | 'storeys', number> &
  Record<'wall' | 'awning', string>;

function drawFacade(scene: Scene, random: Random, facade: Facade): string {
  const { x, ground, width, storey, storeys } = facade;
  const { light, defs } = scene;
  const edge = edgeOf(scene, 0.5);
  const top = ground - storey * (storeys + 0.12);
  const eaves = storey * 0.5;
  const wall = lit(scene, facade.wall, 0.04);
  const fill = defs.vertical(top, ground, mix(wall, light.glow, 0.16), mix(wall, light.shade, 0.16));
  const slate = lit(scene, random.pick(['#5d6478', '#7a5a58', '#6a6f72']), 0.1);
  const glass = mix(light.night ? light.accent : lit(scene, '#8fa6bd', 0.05), slate, 0.15);
  const roof = path`M${x} ${top + 1}l${width * 0.07} ${-eaves}h${width * 0.86}l${width * 0.07} ${eaves}Z`;
  const dormer = (at: number): string => {
    const arch = path`a${width * 0.07} ${eaves * 0.22} 0 0 1 ${width * 0.14} 0`;
    return path`M${x + width * (at - 0.07)} ${top - eaves * 0.08}v${-eaves * 0.5}${arch}v${eaves * 0.5}z`;
  };
  const chimney = box(x + width * random.between(0.12, 0.78), top - eaves * 1.4, width * 0.09, eaves * 0.6);
  const cornices = box(x, top, width, storey * 0.07) + box(x, ground - storey * 1.06, width, storey * 0.05);
  return (
    shape(chimney, mix(wall, light.shade, 0.3), edge) +
    shape(roof, slate, edge) +
    shape(dormer(0.3) + dormer(0.7), glass, edge) +
    shape(box(x, top, width + 0.6, ground - top), fill, edge) +
    shape(cornices, lit(scene, mix(facade.wall, '#ffffff', 0.5)), edge) +
    drawUpperWindows(scene, random.fork('windows'), facade) +
    drawShop(scene, facade) +
    drawAwning(scene, facade)
  );
}

function drawUpperWindows(scene: Scene, random: Random, facade: Facade): string {
  const { light } = scene;
  const { x, ground, width, storey, storeys, wall } = facade;
  const columns = Math.max(3, Math.round(width / (storey * 0.48)));
  const [w, h] = [(width / columns) * 0.45, storey * 0.44];
  let [glass, lamps, shutters, sills] = ['', '', '', ''];
  for (let index = 0; index < columns * (storeys - 1); index += 1) {
    const cx = x + (width * ((index % columns) + 0.5)) / columns;
    const y = ground - storey * (Math.floor(index / columns) + 1.92);
    const pane = box(cx - w / 2, y, w, h);
    if (light.night && random.chance(0.5)) lamps += pane;
    else glass += pane;
    shutters += box(cx - w * 0.98, y, w * 0.44, h) + box(cx + w * 0.54, y, w * 0.44, h);
    sills += box(cx - w * 0.7, y + h, w * 1.4, h * 0.07);
  }
  const edge = edgeOf(scene, 0.4);
  const paint = random.pick(['#5f7f78', '#6f7f9a', '#7a5a50', '#8a9a78']);
  return (
    shape(glass, lit(scene, mix(light.sky[1], '#4a5f78', 0.5), 0.05), edge) +
    shape(lamps, mix(light.accent, '#ffffff', 0.2), edge) +
    shape(shutters, lit(scene, paint, 0.06), edge) +
    shape(sills, lit(scene, mix(wall, '#ffffff', 0.45)), edge)
  );
}

/** Three panes and a door, lit from inside by night. */
function drawShop(scene: Scene, { x, ground, width, storey, awning }: Facade): string {
  const { light, defs } = scene;
  const edge = edgeOf(scene, 0.5);
  const inside = (day: string, lamp: string, amount: number): string =>
    light.night ? mix(light.accent, lamp, amount) : mix(day, light.tint, light.tintAmount * 0.5);
  const [upper, lower] = [inside('#f2c98a', '#ffffff', 0.25), inside('#9a6a4a', '#a0522d', 0.35)];
  const panes = repeat(3, (index) =>
    box(x + width * (0.12 + 0.19 * index), ground - storey * 0.74, width * 0.175, storey * 0.56),
  );
  const door = box(x + width * 0.73, ground - storey * 0.72, width * 0.145, storey * 0.6);
  const front = box(x + width * 0.08, ground - storey * 0.9, width * 0.84, storey * 0.9);
  return (
    shape(front, lit(scene, mix(awning, '#2a2430', 0.62)), edge) +
    shape(panes + door, defs.vertical(ground - storey * 0.8, ground, upper, lower), edge)
  );
}

/** Nine stripes that widen towards a scalloped hem. */
function drawAwning(scene: Scene, { x, ground, width, storey, awning }: Facade): string {
  const [top, drop] = [ground - storey * 0.96, storey * 0.2];
  const [narrow, wide] = [width * 0.088, width * 0.109];
  const stripes = (from: number): string =>
    repeat(from === 0 ? 5 : 4, (index) => {
      const away = from + 2 * index - 4.5;
      const [upperX, lowerX] = [x + width / 2 + away * narrow, x + width / 2 + away * wide];
      const hem = path`a${wide / 2} ${wide * 0.4} 0 0 1 ${-wide} 0Z`;
      return path`M${upperX} ${top}h${narrow}L${lowerX + wide} ${top + drop}${hem}`;
    });
  const shadow = box(x + width / 2 - 4.5 * wide, top + drop, 9 * wide, storey * 0.16);
  const edge = edgeOf(scene, 0.5);
  return (
    shape(shadow, scene.light.shade, { 'fill-opacity': 0.22 }) +
    shape(stripes(0), lit(scene, awning), edge) +
    shape(stripes(1), lit(scene, PALE), edge)
  );
}
