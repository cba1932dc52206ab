/** The few colours of a minimal picture: a neutral ground, two quiet tones, one accent. */
import type { Random } from '../random/random';
import type { Time } from '../words/mood';

/** All values are `#rrggbb`. */
export interface Tones {
  readonly paper: string;
  readonly soft: string;
  readonly deep: string;
  readonly accent: string;
}

type Choices = readonly [Tones, ...Tones[]];

const tones = (paper: string, soft: string, deep: string, accent: string): Tones => ({
  paper,
  soft,
  deep,
  accent,
});

const LIGHT: Choices = [
  tones('#f3efe8', '#c9c3b8', '#6f7a80', '#d9855f'),
  tones('#eef0ef', '#bcc8c8', '#55707a', '#e0a458'),
  tones('#f4f0ec', '#d6c4b8', '#8a7f86', '#c9705f'),
  tones('#efeeea', '#c2c8b8', '#6a7a68', '#dba05a'),
  tones('#f0f0f2', '#c4c8d4', '#626c88', '#df8a78'),
];
const WARM: Choices = [
  tones('#f6ece2', '#e2c2a8', '#8f6a64', '#e07a4f'),
  tones('#f5ebe4', '#dfbdb4', '#7d6076', '#e58a5a'),
  tones('#f3ece0', '#d9c29c', '#7a6a58', '#d9743f'),
];
const NIGHT: Choices = [
  tones('#e3e5ea', '#a9b0c0', '#3d465e', '#f0dca8'),
  tones('#e4e6e6', '#9fb0b4', '#33505a', '#f2dfb2'),
  tones('#e6e3ea', '#b1a8bf', '#4a4160', '#f4d9b0'),
];

/** Tones that suit the hour. */
export function tonesFor(time: Time, random: Random): Tones {
  if (time === 'night' || time === 'dusk') return random.pick(NIGHT);
  return random.pick(time === 'sunset' || time === 'golden' ? WARM : LIGHT);
}
