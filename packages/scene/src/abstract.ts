/** Compositions without a subject, whose form follows from the words: ribbons, orbs, arcs, facets. */
import { mix } from './colour';
import { cover } from './frame';
import { hills, landBelow } from './land';
import { drawArcs, drawFacets } from './mosaics';
import { createRandom } from './random';
import type { Stage } from './stage';
import { circle, fade, line, path, repeat, shape } from './svg';
import { type Swatch, shadeOf, swatchFor } from './swatch';

/** Draws the motif. */
export function drawAbstract(stage: Stage): string {
  const { frame, defs, style, light } = stage;
  const swatch = swatchFor(createRandom(`swatch/${stage.lightKey}`), style.name, light.night);
  const form = createRandom(`form/${[...stage.words].join(' ')}`).pick(FORMS);
  const [start, end] = [swatch.back, mix(swatch.back, swatch.colours[3], 0.55)];
  return cover(frame, defs.linear(0, 0, frame.width * 0.3, frame.height, start, end)) + form(stage, swatch);
}

/** Broad waves that lie over one another, before a disc of light. */
function drawRibbons(stage: Stage, { colours, spot, dark }: Swatch): string {
  const { frame, defs, style } = stage;
  const random = stage.random.fork('ribbons');
  const slope = random.between(-0.32, 0.32) * Math.min(1, (1.6 * frame.unit) / frame.width);
  const flat = style.name === 'illustration';
  const [x, y] = [frame.width * random.between(0.25, 0.75), frame.height * random.between(0.2, 0.34)];
  const r = frame.unit * random.between(0.08, 0.14);
  const glow = circle(x, y, r * 3, defs.radial(x, y, r * 3, fade(spot, [0, 0.5], [1, 0])));
  const disc = circle(
    x,
    y,
    r,
    defs.vertical(y - r, y + r, mix(spot, '#ffffff', 0.35), spot),
    style.edge(stage),
  );
  const wave = { base: 0, height: frame.rise * 0.68, wavelength: 0.62 * frame.unit };
  const ribbons = repeat(7, (index) => {
    const t = index / 6;
    const base = frame.height * (0.3 + 0.64 * t) + frame.rise * 0.34;
    const bends = hills(random.fork(index), frame, wave);
    const lean = slope * (1 - 0.6 * t);
    const fold = landBelow((at) => base + bends(at) + lean * (at - frame.centre), frame);
    const colour = shadeOf(colours, 1 - t);
    const [upper, lower] = [
      mix(colour, dark ? spot : '#ffffff', dark ? 0.22 : 0.34),
      mix(colour, colours[0], 0.45),
    ];
    const end = fold.top + frame.height * 0.42;
    const fill = defs.linear(0, fold.top, frame.width * 0.05, end, upper, [0.4, colour], lower);
    const rim = line(fold.crest, spot, frame.unit * 0.002, { 'stroke-opacity': 0.4 });
    const ink = line(fold.crest, colours[0], frame.unit * 0.005);
    return shape(fold.path, flat ? colour : fill) + (dark ? rim : flat ? ink : '');
  });
  return glow + disc + ribbons;
}

/** Spheres at several depths, with the radius of each in units. */
const ORBS = [0.34, 0.25, 0.2, 0.14, 0.1, 0.075, 0.05, 0.034, 0.024] as const;

function drawOrbs(stage: Stage, { colours, spot, back, dark }: Swatch): string {
  const { frame, defs, style } = stage;
  const random = stage.random.fork('orbs');
  const turn = random.between(0, 6.28);
  return ORBS.map((size, index) => {
    // The golden angle spreads the spheres without rows or clumps.
    const angle = turn + index * 2.39996;
    const away = 0.076 + 0.38 * Math.sqrt(index / ORBS.length);
    const x = frame.centre + Math.cos(angle) * away * frame.width;
    const y = frame.height / 2 + Math.sin(angle) * away * frame.height;
    const r = size * frame.unit * random.between(0.85, 1.15);
    const colour = index === 3 || index === 6 ? spot : (colours[(index * 2) % colours.length] ?? spot);
    const [shadowX, shadowY] = [x + r * 0.16, y + r * 0.3];
    if (style.name === 'illustration') {
      const bend = path`A${r * 0.64} ${r * 0.64} 0 0 1 ${x - r * 0.1} ${y - r * 0.62}`;
      const glint = path`M${x - r * 0.62} ${y - r * 0.1}${bend}`;
      return circle(x, y, r, colour, style.edge(stage)) + line(glint, mix(colour, back, 0.7), r * 0.08);
    }
    const shadow = defs.radial(shadowX, shadowY, r * 1.3, fade(colours[0], [0.5, dark ? 0.6 : 0.34], [1, 0]));
    const shine = mix(colour, '#ffffff', dark ? 0.35 : 0.62);
    const [dim, rim] = [mix(colour, colours[0], 0.7), mix(colour, colours[0], 0.9)];
    const ball = defs.radial(x - r * 0.38, y - r * 0.42, r * 1.55, [shine, [0.4, colour], [0.85, dim], rim]);
    return circle(shadowX, shadowY, r * 1.3, shadow) + circle(x, y, r, ball);
  }).join('');
}

const FORMS = [drawRibbons, drawOrbs, drawArcs, drawFacets] as const;
