/** The colours of a scene: its light by time of day and style, and what things are made of by season. */
import { adjust, mix } from './colour';
import type { Ground, Time } from './landscapes';
import type { SceneStyle } from './styles';
import type { Mood, Season } from './subjects';

/**
 * Colours that go together, all `#rrggbb`: `glow` is the halo of the sun or the moon, distance fades into
 * `haze`, shadows and silhouettes are in `shade`, small bright things (windows, flowers, sails) in `accent`.
 */
export interface Palette
  extends Readonly<Record<'sun' | 'glow' | 'haze' | 'shade' | 'cloud' | 'accent' | 'tint', string>> {
  /** From the zenith to the horizon. */
  readonly sky: readonly [string, string, string, string];
  /** Share (0 to 1) of the colour of the light, `tint`, in the colour of near things. */
  readonly tintAmount: number;
  /** Whether stars show and lamps are lit. */
  readonly night: boolean;
}

/** One palette a line: sky | sun, glow, haze | shade, cloud, accent | tint and its amount. */
const naturalPalettes: Readonly<Record<Time, string>> = {
  dawn: '4f74ad 9db1d6 efcbc9 fde8d3 | fff4e0 ffe0bd f0d6d3 | 3c4577 fdebe2 ffb38a | 6f76a6 0.34',
  day: '2f8fae 74c1d2 c0e4e2 f6f3df | fffdea fff3c4 d2e8e3 | 1d4f5e ffffff ffb347 | a9dcd8 0.1',
  golden: '5c8db6 a6bfc4 f0d39f ffe6b0 | fff8da ffe3a0 f2d7a9 | 5a3d4a fff0d2 ff8a4c | d48a48 0.28',
  sunset: '2a2c5c 85487b e8775f ffc078 | fff0c4 ffb46e ef9c76 | 281d44 f59a80 ffd27a | 6b3560 0.46',
  dusk: '1c2952 43507e 957ca2 e1a79f | fff0e4 f3b9a8 9d87a6 | 151b3c a58bb0 ffcf8a | 303b6a 0.6',
  night: '060c22 0e1c42 1f3667 3d5a8a | f4f6ff 9fb6e6 32507f | 060c20 33497a ffd58a | 0f2049 0.72',
};

/** Dark tones with one luminous colour, warm where the sun is low and else cool. */
const darkWarm = '0b0a14 1a1024 3a1730 8a2f3c | ffb27a ff6a4d 4a1c30 | 07060d 43203a ffb45c | 140c1e 0.8';
const darkCool = '06070f 0c1024 16204d 2c46a0 | dfe6ff 5f86ff 1a2860 | 04050c 22306a 7fb0ff | 090d20 0.82';

const coloursOf = (row: string): string[] => (row.match(/[\da-f]{6}/g) ?? []).map((digits) => `#${digits}`);

function readPalette(row: string, night: boolean): Palette {
  const colours = coloursOf(row);
  const [zenith = '', upper = '', lower = '', horizon = '', sun = '', glow = '', haze = ''] = colours;
  const [shade = '', cloud = '', accent = '', tint = ''] = colours.slice(7);
  const tintAmount = Number(row.split(' ').at(-1));
  const sky = [zenith, upper, lower, horizon] as const;
  return { sky, sun, glow, haze, shade, cloud, accent, tint, tintAmount, night };
}

/** The palette for a time of day in a style, under the weather of the mood. */
export function paletteFor({ dark }: SceneStyle, time: Time, mood: Mood): Palette {
  const darkRow = time === 'day' || time === 'night' ? darkCool : darkWarm;
  const isNight = dark || time === 'dusk' || time === 'night';
  return underWeather(readPalette(dark ? darkRow : naturalPalettes[time], isNight), mood);
}

/** The light that a weather draws towards a grey. */
function underWeather(light: Palette, { weather }: Mood): Palette {
  if (!weather) return light;
  const greys = {
    fog: [adjust(light.haze, 1.03, 0.45), 0.6],
    cloudy: [adjust(light.sky[2], 0.98, 0.35), 0.4],
    snow: [adjust(light.sky[3], 0.96, 0.4), 0.45],
    rain: [light.night ? '#1a2230' : '#66727f', 0.68],
  } as const;
  const [grey, amount] = greys[weather];
  const greyer = (colour: string, share = 1): string => mix(colour, grey, amount * share);
  const [zenith, upper, lower, horizon] = light.sky;
  const sky = [greyer(zenith), greyer(upper), greyer(lower), greyer(horizon, 0.8)] as const;
  const [cloud, glow] = [greyer(light.cloud, 0.6), greyer(light.glow, 0.6)];
  return { ...light, sky, cloud, glow, haze: greyer(light.haze) };
}

/** The colours of a landscape's materials; all values are `#rrggbb`. */
export type Materials = Readonly<Record<Ground | 'water', string>>;

const materialsBySeason: Readonly<Record<Season, string>> = {
  summer: '5d6b7d 5f9150 7fa873 27513f ecd3a1 2a7391',
  spring: '5d6b7d 7fae52 9cc07c 356350 ecd3a1 2a7391',
  autumn: '6d6874 b08b45 c2a160 8a5a35 ecd3a1 2a7391',
  winter: '6f8099 e8f0f8 dbe6f2 2e4f55 f0ece2 5d8ba6',
};

/** The materials of a season; summer's when the words name none. */
export function materialsOf(season: Season = 'summer'): Materials {
  const [rock = '', grass = '', farGrass = '', pine = '', sand = '', water = ''] = coloursOf(
    materialsBySeason[season],
  );
  return { rock, grass, farGrass, pine, sand, water };
}
