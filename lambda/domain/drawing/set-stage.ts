/** Sets the stage for a picture: everything that is decided before the first shape is drawn. */
import { NATURAL_PALETTES } from './colour/natural-palettes';
import { DARK_PALETTES, ILLUSTRATION_PALETTES } from './colour/style-palettes';
import { weathered } from './colour/weathered';
import { frameOf } from './frame';
import { darkLook } from './looks/dark';
import { illustrationLook } from './looks/illustration';
import { photoLook } from './looks/photo';
import { stockLook } from './looks/stock';
import { createRandom } from './random/random';
import type { Look, LookName, Stage } from './stage';
import { createCanvas } from './svg/canvas';
import { timeFor } from './time-for';
import type { Time } from './words/mood';
import { moodOf } from './words/mood';
import { motifOf, motifsIn } from './words/motif-of';
import { formsOf, tokensOf } from './words/tokens';

const LOOKS: Readonly<Record<LookName, Look>> = {
  stock: stockLook,
  photo: photoLook,
  // Minimal pictures have painters of their own; this look only sets the hour for them.
  minimal: { ...stockLook, name: 'minimal', detail: 0 },
  dark: darkLook,
  illustration: illustrationLook,
};

const PALETTES: Readonly<Record<LookName, typeof NATURAL_PALETTES>> = {
  stock: NATURAL_PALETTES,
  photo: NATURAL_PALETTES,
  minimal: NATURAL_PALETTES,
  dark: DARK_PALETTES,
  illustration: ILLUSTRATION_PALETTES,
};

/** What decides a picture. */
export interface Setting {
  readonly words: string;
  readonly seed: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly look: LookName;
  readonly variation: number;
}

/** The stage for a setting. Hour and palette do not depend on the variation; the composition does. */
export function setStage({ words, seed, widthPx, heightPx, look, variation }: Setting): Stage {
  const lightKey = `light/${words}/${seed}`;
  const chosen = createRandom(lightKey);
  const mood = moodOf(words);
  const time: Time = timeFor(motifOf(words), mood, chosen);
  return {
    frame: frameOf(widthPx, heightPx),
    light: weathered(chosen.pick(PALETTES[look][time]), mood),
    lightKey,
    time,
    mood,
    motifs: motifsIn(words),
    words: new Set(tokensOf(words).flatMap(formsOf)),
    look: LOOKS[look],
    canvas: createCanvas(),
    random: createRandom(`scene/${words}/${seed}/${variation}`),
  };
}
