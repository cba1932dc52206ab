/** Which painter draws which motif. */
import { drawAbstract } from './abstract/abstract';
import { drawDesert } from './motifs/land/desert';
import { drawForest } from './motifs/land/forest';
import { drawMeadow } from './motifs/land/meadow';
import { drawMountains } from './motifs/land/mountains';
import { drawWinter } from './motifs/land/winter';
import { drawCafe } from './motifs/places/cafe';
import { drawCity } from './motifs/places/city';
import { drawNightSky } from './motifs/places/night-sky';
import { drawSpace } from './motifs/places/space';
import { drawBeach } from './motifs/water/beach';
import { drawLake } from './motifs/water/lake';
import { drawSea } from './motifs/water/sea';
import { drawRunningWater } from './motifs/water/waterfall';
import type { Painter } from './stage';
import type { Motif } from './words/motif';

/** The painter of each motif. */
export const PAINTERS: Readonly<Record<Motif, Painter>> = {
  space: drawSpace,
  cafe: drawCafe,
  waterfall: drawRunningWater,
  lake: drawLake,
  beach: drawBeach,
  sea: drawSea,
  meadow: drawMeadow,
  city: drawCity,
  desert: drawDesert,
  forest: drawForest,
  mountains: drawMountains,
  winter: drawWinter,
  'night-sky': drawNightSky,
  abstract: drawAbstract,
};
