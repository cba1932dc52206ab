/** What makes the photo style look photographed: uneven light on land, discs out of focus, film grain. */
import { mix } from './colour';
import { cover } from './frame';
import { box } from './shapes';
import type { Land, Stage } from './stage';
import { circle, fade, group, path, shape } from './svg';

/** Soft patches of light and of cloud shadow: no real ground has one even colour. */
export function drawDapples(stage: Stage, { path: outline, top, bottom, distance }: Land): string {
  const { frame, light, defs } = stage;
  const random = stage.random.fork(`dapples${distance}`);
  const tall = Math.max(1, bottom - top);
  let patches = '';
  for (let index = 0; index < Math.round(5 * Math.min(4, frame.breadth)); index += 1) {
    const x = random.next() * frame.width;
    const y = top + tall * random.between(0.05, 0.6);
    const reach = frame.unit * random.between(0.16, 0.34);
    const bright = index % 2 === 0;
    const strength = (bright ? (light.night ? 0.08 : 0.3) : 0.2) * (1 - 0.55 * distance);
    const stops = fade(bright ? light.glow : light.shade, [0, strength], [0.5, strength * 0.5], [1, 0]);
    const fill = defs.radial(x, y, reach, stops, random.between(0.2, 0.4));
    patches += shape(box(x - reach, y - reach * 0.42, 2 * reach, reach * 0.84), fill);
  }
  return group({ 'clip-path': defs.clip(outline) }, patches);
}

/** Light out of focus close to the lens: a few faint discs towards the lower corners. */
export function drawBokeh(stage: Stage): string {
  const { frame, light, defs, motifs } = stage;
  const subject = motifs[0];
  // In space, and in scenes without a place, nothing is close to the lens.
  if (subject === undefined || subject === 'space') return '';
  const random = stage.random.fork('bokeh');
  const side = random.chance(0.5) ? 0 : 1;
  const colour = mix(light.glow, light.night ? light.accent : '#ffffff', 0.35);
  let discs = '';
  for (let index = 0; index < 9; index += 1) {
    const inward = random.next() ** 1.6 * 0.42 * frame.width;
    const x = (index % 4 === 0 ? 1 - side : side) === 0 ? inward : frame.width - inward;
    const y = frame.height * (1.02 - random.next() ** 1.4 * 0.34);
    const r = frame.unit * random.between(0.012, 0.042);
    const strength = random.between(0.04, 0.12);
    const stops = fade(colour, [0, strength * 0.7], [0.8, strength], [0.92, strength * 0.8], [1, 0]);
    discs += circle(x, y, r, defs.radial(x, y, r, stops));
  }
  return discs;
}

const GRAIN_TILE = 150;
const GRAIN_SPECKS = 240;

/** Light and dark specks over the whole scene; they also hide the steps of long gradients. */
export function drawGrain({ frame, random: source, defs }: Stage, strength: number): string {
  const random = source.fork('grain');
  const specks = (): string =>
    Array.from({ length: GRAIN_SPECKS }, () => {
      const size = random.between(0.5, 1.1);
      return path`M${random.between(0, GRAIN_TILE)} ${random.between(0, GRAIN_TILE)}h${size}v${size}h${-size}z`;
    }).join('');
  const tile =
    shape(specks(), '#ffffff', { opacity: 0.16 * strength }) +
    shape(specks(), '#000000', { opacity: 0.2 * strength });
  return cover(frame, defs.tile(GRAIN_TILE, tile));
}
