/** Folds of light: broad waves that lie over one another. */
import { mix } from '../colour/mix';
import { createNoise, layered } from '../random/noise';
import type { Stage } from '../stage';
import { element } from '../svg/element';
import { landBelow } from '../terrain/profile';
import type { Swatch } from './swatch';

/** Draws the form. */
export function drawRibbons(stage: Stage, { colours, back, spot, dark }: Swatch): string {
  const { frame, canvas, look } = stage;
  const random = stage.random.fork('ribbons');
  const slope = random.between(-0.32, 0.32);
  const count = 7;
  const disc = {
    x: frame.width * random.between(0.25, 0.75),
    y: frame.height * random.between(0.2, 0.34),
    r: frame.unit * random.between(0.08, 0.14),
  };
  let marks =
    element('circle', {
      cx: disc.x,
      cy: disc.y,
      r: disc.r * 3,
      fill: canvas.radial(disc.x, disc.y, disc.r * 3, [
        [0, spot, 0.5],
        [1, spot, 0],
      ]),
    }) +
    element('circle', {
      cx: disc.x,
      cy: disc.y,
      r: disc.r,
      fill: canvas.linear(0, disc.y - disc.r, 0, disc.y + disc.r, [
        [0, mix(spot, '#ffffff', 0.35)],
        [1, spot],
      ]),
      ...look.edge(stage),
    });
  for (let index = 0; index < count; index += 1) {
    const t = index / (count - 1);
    const own = random.fork(`fold${index}`);
    const noise = layered(createNoise(own), 2, 0.3);
    const base = frame.height * (0.3 + 0.64 * t);
    const profile = (x: number): number =>
      base +
      slope * (x - frame.centre) * (1 - 0.6 * t) +
      frame.rise * 0.42 * noise((x - frame.centre) / (0.62 * frame.unit) + t * 0.9);
    const land = landBelow(profile, frame, frame.height + 5);
    const place = (1 - t) * (colours.length - 1);
    const low = colours[Math.floor(place)] ?? back;
    const colour = mix(low, colours[Math.ceil(place)] ?? low, place % 1);
    const fill =
      look.name === 'illustration'
        ? colour
        : canvas.linear(0, land.top, frame.width * 0.05, land.top + frame.height * 0.42, [
            [0, mix(colour, dark ? spot : '#ffffff', dark ? 0.22 : 0.34)],
            [0.4, colour],
            [1, mix(colour, colours[0], 0.45)],
          ]);
    marks +=
      element('path', { d: land.path, fill }) +
      (look.name === 'illustration' || dark
        ? element('path', {
            d: land.crest,
            fill: 'none',
            stroke: dark ? spot : colours[0],
            'stroke-width': frame.unit * (dark ? 0.002 : 0.005),
            'stroke-opacity': dark ? 0.4 : 1,
          })
        : '');
  }
  return marks;
}
