/** The minimal look: a few flat shapes on a neutral ground, and room to breathe. */
import { createRandom } from '../random/random';
import type { Stage } from '../stage';
import { element } from '../svg/element';
import { namesFall } from '../words/falls';
import type { Motif } from '../words/motif';
import { minimalDesert, minimalForest, minimalMeadow, minimalMountains, minimalWinter } from './land';
import { minimalAbstract, minimalCafe, minimalCity, minimalNight, minimalSpace } from './places';
import type { MinimalPainter } from './sheet';
import { tonesFor } from './tones';
import { minimalBeach, minimalFall, minimalLake, minimalRiver, minimalSea } from './water';

const PAINTERS: Readonly<Record<Motif, MinimalPainter>> = {
  space: minimalSpace,
  cafe: minimalCafe,
  waterfall: (sheet) => (namesFall(sheet.words) ? minimalFall(sheet) : minimalRiver(sheet)),
  lake: minimalLake,
  beach: minimalBeach,
  sea: minimalSea,
  meadow: minimalMeadow,
  city: minimalCity,
  desert: minimalDesert,
  forest: minimalForest,
  mountains: minimalMountains,
  winter: minimalWinter,
  'night-sky': minimalNight,
  abstract: minimalAbstract,
};

/** Draws the motif; variations share their tones. */
export function drawMinimal(stage: Stage, motif: Motif): string {
  const { frame, canvas, time, words, lightKey } = stage;
  const random = stage.random.fork('minimal');
  const tones = tonesFor(time, createRandom(`${lightKey}/tones`));
  const paper = element('rect', { width: frame.width, height: frame.height, fill: tones.paper });
  return paper + PAINTERS[motif]({ frame, canvas, words, tones, random, side: random.chance(0.5) ? 1 : -1 });
}
