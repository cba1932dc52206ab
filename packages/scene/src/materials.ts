/** What things are made of, in neutral daylight, by season. */
import type { Season } from './mood';

/** The materials of a landscape; all values are `#rrggbb`. */
export interface Materials {
  readonly rock: string;
  readonly grass: string;
  readonly farGrass: string;
  readonly pine: string;
  readonly leaves: readonly [string, string, string];
  readonly bark: string;
  readonly sand: string;
  readonly water: string;
  readonly snow: string;
}

const SUMMER: Materials = {
  rock: '#5d6b7d',
  grass: '#5f9150',
  farGrass: '#7fa873',
  pine: '#27513f',
  leaves: ['#4c8a4a', '#6aa353', '#3b7549'],
  bark: '#4d3a30',
  sand: '#ecd3a1',
  water: '#2a7391',
  snow: '#f7fbff',
};

const BY_SEASON: Readonly<Record<Season, Materials>> = {
  summer: SUMMER,
  spring: {
    ...SUMMER,
    grass: '#7fae52',
    farGrass: '#9cc07c',
    pine: '#356350',
    leaves: ['#f3b6c6', '#e893ae', '#f8d3d9'],
  },
  autumn: {
    ...SUMMER,
    rock: '#6d6874',
    grass: '#b08b45',
    farGrass: '#c2a160',
    pine: '#4a5140',
    leaves: ['#d9742b', '#c24a2c', '#e8a535'],
  },
  winter: {
    ...SUMMER,
    rock: '#6f8099',
    grass: '#e8f0f8',
    farGrass: '#dbe6f2',
    pine: '#2e4f55',
    leaves: ['#dce8f2', '#c8d8e8', '#f2f7fb'],
    sand: '#f0ece2',
    water: '#5d8ba6',
  },
};

/** The materials of a season; summer's when the words name none. */
export function materialsOf(season: Season | undefined): Materials {
  return BY_SEASON[season ?? 'summer'];
}
