/** Compositions without a subject, whose form follows from the words: ribbons, orbs, arcs. */
import { adjust, mix } from './colour';
import { hills, landBelow } from './land';
import { createRandom } from './random';
import { cover, edgeOf, type Scene } from './scene';
import { glow } from './sky';
import { box, circle, fade, group, line, path, repeat, shape } from './svg';

/** Draws the subject. */
export function drawAbstract(scene: Scene): string {
  const { frame, defs } = scene;
  const swatch = swatchFor(scene);
  const form = createRandom(`form/${[...scene.words].join(' ')}`).pick([drawRibbons, drawOrbs, drawArcs]);
  const end = mix(swatch.back, swatch.fourth, 0.55);
  return (
    cover(frame, defs.linear(0, 0, frame.width * 0.3, frame.height, swatch.back, end)) + form(scene, swatch)
  );
}

/** Five colours from deep to pale, and a contrasting spot. */
const SWATCHES = [
  '#1f4e6b #3f7f9c #7fb0bd #bcd8d6 #efe9dc #f08a5d',
  '#4a2c5e #8a4f82 #c97b92 #f0b2a0 #fbe6d6 #f7c25c',
  '#1d4d4f #3b7f77 #7ab59c #bfdcbb #f3f0dd #f2785c',
  '#2b2f6b #5459a8 #8f8fd6 #c9c2ee #f4edf7 #ffab6b',
  '#7a2f3b #b8544e #e08a68 #f4bf94 #fcebd8 #3f9a97',
  '#23395b #406e8e #8ea8c3 #cbd7dc #f3f1ea #e8a13c',
  '#5b2a4f #9c3f6b #d9728a #f2aeb0 #fbe4df #5fb3b3',
  '#16505c #2a8c8c #6fc3b2 #b8e3cf #f2f6e4 #ff7f6b',
  '#5c3a3a #a8683c #d99a5b #efc996 #faeedb #2f7f8c',
  '#123b5d #2f6fa8 #e9a38c #f6cfae #fbf0df #f2c14e',
] as const;

type Swatch = ReturnType<typeof swatchFor>;

/** Colours from deep to pale, their ground and one spot: glowing by night, stronger in a bold style. */
function swatchFor({ lightKey, style, light }: Scene) {
  const row = createRandom(`swatch/${lightKey}`).pick(SWATCHES).split(' ');
  const bold = style.name === 'illustration';
  const dark = style.name === 'dark' || (light.night && !bold);
  const ramp = row.slice(0, 5).map((colour, index) => {
    if (dark) return mix(adjust(colour, 0.86, 1.15), '#0a0c18', 0.42 + 0.05 * index);
    return bold ? adjust(colour, 1, 1.3) : colour;
  });
  const [deep = '', second = '', third = '', fourth = '', pale = ''] = ramp;
  const [first = '', , , , last = '', spot = ''] = row;
  const back = dark ? mix(first, '#080a14', 0.82) : mix(last, '#fffaf2', 0.4);
  const inks = [deep, second, third, fourth, pale, spot] as const;
  return { back, deep, second, fourth, pale, spot, dark, inks };
}

/** Broad waves that lie over one another, before a disc of light. */
function drawRibbons(scene: Scene, { inks, deep, spot, dark }: Swatch): string {
  const { frame, defs, style } = scene;
  const random = scene.random.fork('ribbons');
  const slope = random.between(-0.32, 0.32) * Math.min(1, (1.6 * frame.unit) / frame.width);
  const flat = style.name === 'illustration';
  const [x, y] = [frame.width * random.between(0.25, 0.75), frame.height * random.between(0.2, 0.34)];
  const r = frame.unit * random.between(0.08, 0.14);
  const shine = defs.vertical(y - r, y + r, mix(spot, '#ffffff', 0.35), spot);
  const ribbons = repeat(7, (index) => {
    const t = index / 6;
    const base = frame.height * (0.3 + 0.64 * t) + frame.rise * 0.34;
    const bends = hills(random.fork(index), frame, { base, height: frame.rise * 0.68, wave: 0.62 });
    const fold = landBelow((at) => bends(at) + slope * (1 - 0.6 * t) * (at - frame.centre), frame);
    const low = Math.floor((1 - t) * 3.99);
    const colour = mix(inks[low] ?? deep, inks[low + 1] ?? deep, ((1 - t) * 3.99) % 1);
    const upper = dark ? mix(colour, spot, 0.22) : mix(colour, '#ffffff', 0.34);
    const foot = mix(colour, deep, 0.45);
    const fill = defs.vertical(fold.top, fold.top + frame.height * 0.42, upper, [0.4, colour], foot);
    const rim = line(fold.crest, spot, frame.unit * 0.002, { 'stroke-opacity': 0.4 });
    const ink = line(fold.crest, deep, frame.unit * 0.005);
    return shape(fold.path, flat ? colour : fill) + (dark ? rim : flat ? ink : '');
  });
  return glow(scene, { x, y, radius: r * 3 }, spot, 0.5) + circle(x, y, r, shine, edgeOf(scene)) + ribbons;
}

/** Spheres at several depths, with the radius of each in units. */
const ORBS = [0.34, 0.25, 0.2, 0.14, 0.1, 0.075, 0.05, 0.034, 0.024] as const;

function drawOrbs(scene: Scene, { inks, deep, spot, back, dark }: Swatch): string {
  const { frame, defs, style } = scene;
  const random = scene.random.fork('orbs');
  const turn = random.between(0, 6.28);
  const orbs = ORBS.map((size, index) => {
    // The golden angle spreads the spheres without rows or clumps.
    const angle = turn + index * 2.39996;
    const away = 0.076 + 0.38 * Math.sqrt(index / ORBS.length);
    const x = frame.centre + Math.cos(angle) * away * frame.width;
    const y = frame.height / 2 + Math.sin(angle) * away * frame.height;
    const r = size * frame.unit * random.between(0.85, 1.15);
    const colour = index % 3 === 0 && index > 0 ? spot : (inks[(index * 2) % 5] ?? spot);
    if (style.name === 'illustration') {
      const bend = path`A${r * 0.64} ${r * 0.64} 0 0 1 ${x - r * 0.1} ${y - r * 0.62}`;
      const glint = path`M${x - r * 0.62} ${y - r * 0.1}${bend}`;
      return circle(x, y, r, colour, edgeOf(scene)) + line(glint, mix(colour, back, 0.7), r * 0.08);
    }
    const [shadowX, shadowY] = [x + r * 0.16, y + r * 0.3];
    const shadow = defs.radial(shadowX, shadowY, r * 1.3, fade(deep, [0.5, dark ? 0.6 : 0.34], [1, 0]));
    const shine = mix(colour, '#ffffff', dark ? 0.35 : 0.62);
    const [dim, rim] = [mix(colour, deep, 0.7), mix(colour, deep, 0.9)];
    const ball = defs.radial(x - r * 0.38, y - r * 0.42, r * 1.55, [shine, [0.4, colour], [0.85, dim], rim]);
    return circle(shadowX, shadowY, r * 1.3, shadow) + circle(x, y, r, ball);
  });
  return orbs.join('');
}

/** Rainbows of nested rings and discs, tiled like a quilt with plain squares in between. */
function drawArcs(scene: Scene, { inks, deep, second, fourth, pale, spot, back, dark }: Swatch): string {
  const { frame, style, defs } = scene;
  // Larger in banners and columns, so that the size of the SVG stays bounded.
  const stretch = Math.max(1, Math.max(frame.width, frame.height) / frame.unit / 3);
  const size = 0.31 * frame.unit * Math.sqrt(stretch);
  // Counted from the centre, so that another ratio adds or removes squares at the borders only.
  const across = Math.ceil(frame.width / 2 / size);
  const down = Math.ceil(frame.height / 2 / size);
  const tiles = repeat(4 * across * down, (index) => {
    const [column, row] = [(index % (2 * across)) - across, Math.floor(index / (2 * across)) - down];
    const random = scene.random.fork(`square${row}/${column}`);
    const ground = random.pick([back, back, pale, fourth, second]);
    const kind = random.next();
    const turn = random.whole(0, 3) * 90;
    const first = random.whole(0, inks.length - 1);
    const rings = (shares: readonly number[], ring: (r: number) => string): string =>
      shares.map((share, at) => shape(ring(share * size), inks[(first + at) % inks.length] ?? spot)).join('');
    const quarter = (r: number): string => path`M0 0H${r}A${r} ${r} 0 0 1 0 ${r}Z`;
    const half = (r: number): string => path`M0 ${size / 2 - r}a${r} ${r} 0 0 1 0 ${2 * r}z`;
    const disc = circle(size / 2, size / 2, size * 0.3, inks[first] ?? spot);
    const quarters = kind < 0.46 ? rings([1, 0.74, 0.48, 0.24], quarter) : '';
    const figure = quarters || (kind < 0.72 ? rings([0.5, 0.34, 0.17], half) : kind < 0.86 ? disc : '');
    const place = path`translate(${frame.centre + column * size} ${frame.height / 2 + row * size})`;
    const transform = path`${place} rotate(${turn} ${size / 2} ${size / 2})`;
    return group({ transform }, shape(box(-0.4, -0.4, size + 0.8, size + 0.8), ground) + figure);
  });
  const shade = mix(deep, '#000000', 0.4);
  const corner = style.name === 'illustration' ? 0 : 0.28;
  const gloss = [0, '#ffffff', dark ? 0.04 : 0.22] as const;
  return (
    tiles +
    cover(frame, defs.linear(0, 0, frame.width, frame.height, gloss, [0.6, shade, 0], [1, shade, corner]))
  );
}
