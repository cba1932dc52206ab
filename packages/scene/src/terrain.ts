/** Places on land: a far end, rows of ground from far to near with trees on them, and a few things that stand there. */
import { type Backdrop, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawFigure } from './figure';
import { drawFirs, drawGround } from './land';
import { lit, type Scene } from './scene';
import { drawLandscape, drawMist, drawStars, landscapeOf } from './sky';
import type { Place } from './subjects';
import { line, type Point, path, repeat } from './svg';

/** A place as it is drawn; without a `floor` subjects float in the middle. */
export interface Drawn {
  readonly marks: string;
  readonly floor?: number;
}

/** A drawing as part of a landscape, where no subject stands in front. */
export const prop = (scene: Scene, name: string, foot: Point, size: number, tint = 0.25): string =>
  scene.reading.drawings.length > 0
    ? ''
    : drawFigure(scene, name, foot, size, Math.max(tint, 0.75 * scene.light.tintAmount));

/** The far end that the words name beside the place, or else the other one. */
export const farEnd = ({ reading }: Scene, otherwise?: Backdrop): Backdrop | undefined =>
  (['mountains', 'city', 'forest'] as const).find((kind) => reading.backdrops.includes(kind)) ?? otherwise;

/**
 * A row of ground: how far down its foot is (a share of the way from the horizon to the lower border), how high it is, how
 * far away, its colour as two materials and how much of the second, and the density and scale of its firs, if any.
 */
type Row = readonly [
  ...[down: number, height: number, distance: number],
  ...[colour: readonly [Colour, Colour, number], density?: number, scale?: number],
];
type Colour = 'grass' | 'farGrass' | 'pine' | 'sand' | 'snow' | 'shade' | 'sky' | 'rock';

/** A drawing on a row: its name, where it stands beside the centre on the side away from the light, its size in units, its tint. */
type Prop = readonly [row: number, name: string, aside: number, size: number, tint: number];

interface Terrain {
  /** Where the horizon is, as shares of the height from the top. */
  readonly horizon: readonly [number, number];
  /** What stands at the far end, one of these, and its height. */
  readonly end: readonly [readonly [Backdrop, ...Backdrop[]], number];
  /** The length of a hill, in units. */
  readonly wave: number;
  readonly rows: readonly Row[];
  readonly props?: readonly Prop[];
  readonly hasFlowers?: true;
  /** Where subjects stand, as a share of the height; absent where they float. */
  readonly floor?: number;
}

const TERRAINS = {
  mountains: {
    ...{ horizon: [0.66, 0.72], end: [['mountains'], 1], wave: 0.42, floor: 0.93 },
    rows: [
      [0.22, 0.24, 0.5, ['pine', 'farGrass', 0.45], 0.85, 0.8],
      [0.52, 0.22, 0.24, ['pine', 'grass', 0.3], 0.93, 0.8],
      [0.92, 0.24, 0, ['pine', 'shade', 0.35], 1, 0.8],
    ],
  },
  forest: {
    ...{ horizon: [0.46, 0.54], end: [['hills'], 0.4], wave: 0.38, floor: 0.95 },
    rows: [
      [0.1, 0.3, 0.74, ['grass', 'pine', 0.55], 1.6, 1],
      [0.3, 0.26, 0.54, ['grass', 'pine', 0.55], 1.6, 1.3],
      [0.55, 0.22, 0.34, ['grass', 'pine', 0.55], 1.6, 1.8],
      [0.96, 0.18, 0.12, ['grass', 'pine', 0.55], 1.6, 1.9],
    ],
  },
  meadow: {
    ...{ horizon: [0.5, 0.57], end: [['mountains', 'hills'], 0.62], wave: 0.62, floor: 0.9 },
    rows: [
      [0.14, 0.24, 0.52, ['farGrass', 'grass', 0.3]],
      [0.4, 0.3, 0.28, ['farGrass', 'grass', 0.7]],
      [0.72, 0.24, 0.06, ['farGrass', 'grass', 1]],
    ],
    props: [
      [0, 'deciduous-tree', -0.2, 0.12, 0.35],
      [1, 'deciduous-tree', 0.26, 0.3, 0.08],
    ],
    hasFlowers: true,
  },
  desert: {
    ...{ horizon: [0.54, 0.62], end: [['hills'], 0], wave: 0.6, floor: 0.92 },
    rows: [
      [0.1, 0.34, 0.78, ['sand', 'rock', 0.1]],
      [0.24, 0.3, 0.62, ['sand', 'shade', 0.26]],
      [0.4, 0.34, 0.45, ['sand', 'rock', 0.06]],
      [0.6, 0.3, 0.3, ['sand', 'shade', 0.26]],
      [0.82, 0.4, 0.16, ['sand', 'rock', 0]],
      [1.04, 0.36, 0.04, ['sand', 'shade', 0.26]],
    ],
    props: [[4, 'cactus', 0.36, 0.24, 0.2]],
  },
  winter: {
    ...{ horizon: [0.52, 0.58], end: [['mountains', 'mountains', 'forest'], 0.72], wave: 0.55, floor: 0.92 },
    rows: [
      [0.16, 0.2, 0.42, ['snow', 'sky', 0.13], 0.72, 1.3],
      [0.42, 0.2, 0.24, ['snow', 'sky', 0.1], 0.72, 1.7],
      [0.86, 0.2, 0.03, ['snow', 'sky', 0.06], 0.5, 1.9],
    ],
    props: [[1, 'house', 0.16, 0.15, 0.1]],
  },
  stars: {
    ...{ horizon: [0.78, 0.84], end: [['mountains'], 0.6], wave: 0.5 },
    rows: [
      [0.3, 0.16, 0.3, ['pine', 'shade', 0.6], 1.1, 0.8],
      [0.95, 0.2, 0.05, ['pine', 'shade', 0.6], 1.1, 0.8],
    ],
    props: [[1, 'camping', 0.2, 0.15, 0.3]],
  },
  sky: { horizon: [0.92, 0.92], end: [['hills'], 0.4], wave: 0.5, rows: [] },
} as const satisfies Partial<Readonly<Record<Place, Terrain>>>;

/** Draws a place on land. */
export function drawTerrain(scene: Scene, place: keyof typeof TERRAINS): Drawn {
  const { horizon: between, end, wave, rows, props = [], hasFlowers, floor }: Terrain = TERRAINS[place];
  const { frame, light, materials, style } = scene;
  const { random, horizon, depth, sun, side } = landscapeOf(scene, place, ...between);
  const colours = { ...materials, shade: light.shade, sky: light.sky[1], snow: '#eef4fb' };
  const drawn = rows.map(([down, height, distance, [one, other, amount], density, scale = 1], index) => {
    const base = horizon + depth * down;
    const hill = { label: `row${index}`, base, height, wave, octaves: 3, distance };
    const { profile, marks } = drawGround(scene, {
      ...hill,
      colour: mix(colours[one], colours[other], amount),
    });
    // Nothing stands between a subject in front and the viewer.
    const isClear = distance < 0.1 && scene.reading.drawings.length > 0;
    const firs = density && !isClear ? drawFirs(scene, { ...hill, profile, density, scale }) : '';
    const things = props.map(([row, name, aside, size, tint]) => {
      const x = frame.centre + side * aside * frame.span;
      const foot = { x, y: profile(x) + 0.06 * size * frame.unit };
      return row === index ? prop(scene, name, foot, size * frame.unit, tint) : '';
    });
    const mist = drawMist(scene, base + frame.rise * 0.05, frame.rise * 0.2, 0.34 * distance * style.air);
    return firs + marks + things.join('') + mist;
  });
  const kind = farEnd(scene, end[1] > 0 ? random.pick(end[0]) : undefined);
  const marks = drawLandscape(scene, sun, [
    place === 'stars' && light.night ? drawStars(scene, horizon, 1.6) : '',
    drawBackdrop(scene, kind, horizon + depth * 0.06, sun, end[1] || 0.6),
    drawMist(scene, horizon + depth * 0.06, depth * 0.14, 0.4),
    ...drawn,
    hasFlowers && scene.mood.season !== 'autumn' ? drawFlowers(scene, horizon) : '',
  ]);
  return { marks, ...(floor && { floor: floor * frame.height }) };
}

/** Dots in two colours, larger and fewer towards the viewer. */
function drawFlowers(scene: Scene, horizon: number): string {
  const { frame, style } = scene;
  const random = scene.random.fork('flowers');
  const colours = random.pick(['#e8553f #fff8ea', '#b07cc6 #fff3f6', '#f4a53c #fff4c8', '#ffd24a #ffffff']);
  const count = 80 * style.detail * Math.min(2.5, frame.breadth);
  return colours
    .split(' ')
    .map((colour) =>
      repeat(3, (row) => {
        const data = repeat(Math.round(count / (row + 1)), () => {
          const deep = 0.36 + 0.66 * (0.2 + 0.27 * row + random.between(0, 0.3));
          return path`M${random.next() * frame.width} ${horizon + (frame.height - horizon) * deep}h0`;
        });
        return line(data, lit(scene, colour), (0.003 + 0.0035 * row) * frame.unit);
      }),
    )
    .join('');
}
