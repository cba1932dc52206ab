/** Computes the light of a scene: its colours by time of day, weather and style. */
import { adjustColour, mixColours } from './colour';

/** What a style changes in a scene. `photo` changes nothing. */
export interface SceneStyle {
  readonly isDark?: true;
  /** True for flat colours without gradients. */
  readonly isFlat?: true;
  /** True if small things such as clouds and windows are left out. */
  readonly isBare?: true;
  readonly hasOutlines?: true;
  /** Changes every colour of the finished scene. */
  finish?(colour: string): string;
}

const styles: Readonly<Record<string, SceneStyle>> = {
  minimal: { isFlat: true, isBare: true, finish: (colour) => mixColours(colour, '#f6f3ee', 0.5) },
  dark: { isDark: true, finish: (colour) => adjustColour(colour, 0.85, 0.95) },
  illustration: { isFlat: true, hasOutlines: true, finish: (colour) => adjustColour(colour, 1.03, 1.35) },
};

export const chooseStyle = (name = ''): SceneStyle => styles[name] ?? {};

/** The colours of the sky from zenith to horizon and of the sun; near things are mixed with `tint` by `tinted`. */
const tonesByTime = {
  dawn: { sky: ['#4f74ad', '#9db1d6', '#efcbc9', '#fde8d3'], sun: '#fff4e0', tint: '#6f76a6', tinted: 0.32 },
  day: { sky: ['#2f8fae', '#74c1d2', '#c0e4e2', '#f6f3df'], sun: '#fffdea', tint: '#a9dcd8', tinted: 0.1 },
  golden: { sky: ['#5c8db6', '#a6bfc4', '#f0d39f', '#ffe6b0'], sun: '#fff8da', tint: '#d99a5a', tinted: 0.2 },
  sunset: { sky: ['#2a2c5c', '#85487b', '#e8775f', '#ffc078'], sun: '#fff0c4', tint: '#6b3560', tinted: 0.5 },
  dusk: { sky: ['#1c2952', '#43507e', '#957ca2', '#e1a79f'], sun: '#fff0e4', tint: '#303b6a', tinted: 0.6 },
  night: { sky: ['#060c22', '#0e1c42', '#1f3667', '#3d5a8a'], sun: '#f4f6ff', tint: '#0f2049', tinted: 0.72 },
} as const;

const darkest = '#05081f';

export type Time = keyof typeof tonesByTime;

/** The grey that a weather mixes into the sky, and its share (0 to 1). */
const greys = {
  cloudy: ['#b9c4cb', 0.35],
  fog: ['#d8e0e0', 0.6],
  rain: ['#56616d', 0.75],
  snow: ['#dfe7ee', 0.45],
} as const;

/** A weather. A scene without one has a few clouds. */
export type Weather = keyof typeof greys;

/** Computes the light of a time of day and a weather in a style. */
export function chooseLight({ isDark }: SceneStyle, time: Time, weather: Weather | undefined) {
  const isLow = time !== 'day' && time !== 'night';
  const { sky, sun, ...tones } = tonesByTime[isDark ? (isLow ? 'sunset' : 'night') : time];
  const [tint, tinted] = isDark ? [darkest, 0.8] : [tones.tint, tones.tinted];
  const [grey, share] = weather ? greys[weather] : [tint, 0];
  const [zenith, upper, lower, horizon] = sky.map((colour) =>
    mixColours(mixColours(colour, darkest, isDark ? 0.5 : 0), mixColours(grey, tint, tinted), share),
  ) as [string, string, string, string];
  /** The colour that distance fades into. */
  const haze = mixColours(lower, horizon, 0.35);
  /** The colour of the halo of the sun or the moon. */
  const glow = mixColours(sun, horizon, 0.5);
  /** The colour of shadows. */
  const shade = mixColours(zenith, '#0a0c1c', 0.55);
  const cloud = mixColours('#ffffff', haze, Math.min(1, 1.6 * tinted));
  /** True if there are stars and lit windows. */
  const isNight = isDark || time === 'dusk' || time === 'night';
  return { zenith, upper, lower, horizon, sun, tint, tinted, haze, glow, shade, cloud, isNight };
}
