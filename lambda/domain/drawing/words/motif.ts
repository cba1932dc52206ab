/** The subjects a picture can have. */

/** Every motif, in the order in which one wins over another when a query names several. */
export const MOTIFS = [
  'space',
  'cafe',
  'waterfall',
  'lake',
  'beach',
  'sea',
  'meadow',
  'city',
  'desert',
  'forest',
  'mountains',
  'winter',
  'night-sky',
  'abstract',
] as const;

/** What a picture shows. */
export type Motif = (typeof MOTIFS)[number];
