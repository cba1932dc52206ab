/** Chooses the hour of a picture. */
import type { Random } from './random/random';
import type { Mood, Time } from './words/mood';
import type { Motif } from './words/motif';

type Times = readonly [Time, ...Time[]];

const USUAL: Times = ['dawn', 'day', 'day', 'golden', 'golden', 'sunset', 'dusk'];

const BY_MOTIF: Partial<Readonly<Record<Motif, Times>>> = {
  abstract: ['day'],
  space: ['night'],
  'night-sky': ['night', 'night', 'dusk'],
  city: ['dawn', 'golden', 'sunset', 'dusk', 'night'],
  cafe: ['day', 'golden', 'golden', 'dusk'],
  desert: ['day', 'golden', 'golden', 'sunset', 'dusk'],
  meadow: ['dawn', 'day', 'day', 'golden', 'golden'],
  beach: ['day', 'day', 'golden', 'sunset'],
};

/** The hour that the words state, or else one that suits the motif. */
export function timeFor(motif: Motif, mood: Mood, random: Random): Time {
  const choice = random.fork('time').pick(BY_MOTIF[motif] ?? USUAL);
  return mood.time ?? choice;
}
