/** Chooses what a picture shows from the words of a query. */
import { type Mood, moodOf, type Season } from './mood';
import { MOTIFS, type Motif } from './motif';
import { motifsNamed } from './motif-words';
import { formsOf, tokensOf } from './tokens';

const BY_SEASON: Readonly<Record<Season, Motif>> = {
  spring: 'meadow',
  summer: 'beach',
  autumn: 'forest',
  winter: 'winter',
};

/** Every motif that the words name, strongest first; empty when no word is known. */
export function motifsIn(words: string): readonly Motif[] {
  const named = new Set<Motif>();
  for (const token of tokensOf(words)) {
    for (const form of formsOf(token)) {
      const motifs = motifsNamed(form);
      for (const motif of motifs) named.add(motif);
      if (motifs.size > 0) break;
    }
  }
  return MOTIFS.filter((motif) => named.has(motif));
}

/** What a word about light alone stands for: "sunset" is a picture by itself. */
function motifOfMood({ time, season, weather }: Mood): Motif | undefined {
  if (season !== undefined) return BY_SEASON[season];
  if (weather === 'rain') return 'city';
  if (weather === 'fog') return 'forest';
  if (weather !== undefined) return 'mountains';
  if (time === 'night') return 'night-sky';
  return time === undefined ? undefined : 'sea';
}

/** The motif of a picture: the strongest that the words name, or `abstract`. */
export function motifOf(words: string): Motif {
  return motifsIn(words)[0] ?? motifOfMood(moodOf(words)) ?? 'abstract';
}
