/** The styles that paint land as gradients: plain, photo and dark; illustration has a file of its own. */
import { mix } from './colour';
import { cover } from './frame';
import { drawIllustratedLand, inkOf } from './illustration';
import type { StyleName } from './palettes';
import { drawBokeh, drawDapples, drawGrain } from './photo';
import { type Land, lit, type Stage, type Style } from './stage';
import { fade, line, shape } from './svg';

function plainLand(stage: Stage, { path, top, bottom, colour, distance, mist = 0.5 }: Land): string {
  const upper = lit(stage, colour, distance);
  const foot = mix(upper, stage.light.haze, mist * (0.25 + 0.6 * distance));
  const fill = stage.defs.vertical(top, bottom, [
    [0, upper],
    [0.35, mix(upper, foot, 0.25)],
    [1, foot],
  ]);
  return shape(path, fill);
}

function photoLand(stage: Stage, land: Land): string {
  const { path, top, bottom, colour, distance, mist = 0.5 } = land;
  const { shade, haze } = stage.light;
  const upper = lit(stage, mix(colour, shade, 0.1 * (1 - distance)), distance);
  const foot = mix(upper, haze, Math.min(0.95, mist * (0.3 + 0.85 * distance)));
  const fill = stage.defs.vertical(top, bottom, [
    [0, mix(upper, shade, 0.16)],
    [0.25, upper],
    [0.65, mix(upper, foot, 0.5)],
    [1, foot],
  ]);
  return shape(path, fill) + drawDapples(stage, land);
}

function photoFinish(stage: Stage): string {
  const { frame, light, defs } = stage;
  const radius = Math.hypot(frame.width, frame.height) / 2;
  const vignette = defs.radial(
    frame.centre,
    frame.height * 0.46,
    radius * 1.06,
    fade(light.shade, [0.42, 0], [0.78, 0.2], [1, 0.62]),
  );
  return drawBokeh(stage) + drawGrain(stage, 0.75) + cover(frame, vignette);
}

function darkLand(stage: Stage, { path, crest, top, bottom, colour, distance, mist = 0.5 }: Land): string {
  const { light, defs, frame } = stage;
  const upper = mix(mix(lit(stage, colour, distance * 0.8), light.haze, 0.2), light.shade, 0.35);
  // A faintly glowing mist at the foot of each layer sets off what stands before it.
  const foot = mix(upper, light.haze, Math.min(0.85, mist * (0.5 + distance)));
  const fill = defs.vertical(top, bottom, [
    [0, upper],
    [0.3, mix(upper, foot, 0.3)],
    [1, foot],
  ]);
  const rim = line(crest, light.glow, 0.0022 * frame.unit * (1.4 - distance * 0.7), {
    'stroke-opacity': 0.3 + 0.4 * distance,
    'stroke-linejoin': 'round',
  });
  return shape(path, fill) + rim;
}

function darkFinish({ frame, light, defs }: Stage): string {
  const reach = Math.hypot(frame.width, frame.height) / 2;
  const corners = fade(light.shade, [0.5, 0], [1, 0.55]);
  return cover(frame, defs.radial(frame.centre, frame.height / 2, reach, corners));
}

const PLAIN: Style = {
  name: 'plain',
  detail: 0.7,
  air: 1,
  land: plainLand,
  edge: () => ({}),
  finish: () => '',
};

/** Every style by its name. */
export const STYLES: Readonly<Record<StyleName, Style>> = {
  plain: PLAIN,
  photo: { ...PLAIN, name: 'photo', detail: 1, air: 1.15, land: photoLand, finish: photoFinish },
  // Minimal scenes have a drawing of their own; the style only sets their time of day.
  minimal: { ...PLAIN, name: 'minimal', detail: 0 },
  dark: { ...PLAIN, name: 'dark', detail: 0.75, air: 0.9, land: darkLand, finish: darkFinish },
  illustration: {
    ...PLAIN,
    name: 'illustration',
    detail: 0.6,
    air: 0.55,
    land: drawIllustratedLand,
    edge: (stage, weight = 1) => ({
      stroke: inkOf(stage),
      'stroke-width': 0.0036 * stage.frame.unit * weight,
      'stroke-linejoin': 'round',
      'stroke-linecap': 'round',
    }),
  },
};
