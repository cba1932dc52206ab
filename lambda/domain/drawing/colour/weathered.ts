/** What season and weather do to a palette. */
import type { Mood } from '../words/mood';
import { adjust, mix } from './mix';
import type { Palette } from './palette';

const towards = (light: Palette, grey: string, amount: number): Palette => ({
  ...light,
  sky: [
    mix(light.sky[0], grey, amount),
    mix(light.sky[1], grey, amount),
    mix(light.sky[2], grey, amount),
    mix(light.sky[3], grey, amount * 0.8),
  ],
  haze: mix(light.haze, grey, amount),
  cloud: mix(light.cloud, grey, amount * 0.6),
  glow: mix(light.glow, grey, amount * 0.6),
});

/** The same light under the given weather. */
export function weathered(light: Palette, mood: Mood): Palette {
  switch (mood.weather) {
    case 'fog':
      return towards(light, adjust(light.haze, light.night ? 1.05 : 1.02, 0.45), 0.6);
    case 'rain':
      return towards(
        { ...light, tint: mix(light.tint, '#2a3644', 0.5), tintAmount: Math.max(0.4, light.tintAmount) },
        light.night ? '#1a2230' : '#66727f',
        0.68,
      );
    case 'cloudy':
      return towards(light, adjust(light.sky[2], 0.98, 0.35), 0.4);
    case 'snow':
      return towards(light, adjust(light.sky[3], 0.96, 0.4), 0.45);
    default:
      return light;
  }
}
