/** What a query's words make the picture show. */
import fc from 'fast-check';
import { MOTIFS, type Motif, motifOf } from '../src/words';

const TABLE: readonly (readonly [string, Motif])[] = [
  ['mountains', 'mountains'],
  ['snowy mountain peaks', 'mountains'],
  ['Berge im Nebel', 'mountains'],
  ['montagnes', 'mountains'],
  ['montaña', 'mountains'],
  ['mountain lake', 'lake'],
  ['lake', 'lake'],
  ['Bergsee', 'lake'],
  ['city lake', 'lake'],
  ['norwegian fjord', 'lake'],
  ['sea', 'sea'],
  ['stormy ocean waves', 'sea'],
  ['sailing boats', 'sea'],
  ['lighthouse', 'sea'],
  ['mer', 'sea'],
  ['sunset beach', 'beach'],
  ['beaches', 'beach'],
  ['tropical island', 'beach'],
  ['playa', 'beach'],
  ['Strand', 'beach'],
  ['forest', 'forest'],
  ['autumn forest', 'forest'],
  ['spring forest', 'forest'],
  ['forêt', 'forest'],
  ['Bäume', 'forest'],
  ['city', 'city'],
  ['cities at night', 'city'],
  ['city night', 'city'],
  ['office building', 'city'],
  ['Großstadt', 'city'],
  ['desert', 'desert'],
  ['Wüste', 'desert'],
  ['desert night', 'desert'],
  ['flower meadow', 'meadow'],
  ['mountain meadow', 'meadow'],
  ['Blumen', 'meadow'],
  ['waterfall', 'waterfall'],
  ['forest river', 'waterfall'],
  ['snow', 'winter'],
  ['Weihnachten', 'winter'],
  ['starry night', 'night-sky'],
  ['aurora borealis', 'night-sky'],
  ['coffee shop', 'cafe'],
  ['café', 'cafe'],
  ['street café in paris', 'cafe'],
  ['planet', 'space'],
  ['galaxies', 'space'],
  ['sunset', 'sea'],
  ['spring', 'meadow'],
  ['autumn', 'forest'],
  ['winter', 'winter'],
  ['fog', 'forest'],
  ['justice', 'abstract'],
  ['quixotic', 'abstract'],
  ['山の湖', 'abstract'],
  ['!?', 'abstract'],
];

describe('the motif of a query', () => {
  test.each(TABLE)('%s shows %s', (words, motif) => {
    expect(motifOf(words)).toBe(motif);
  });

  test('is one of the known motifs for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (words) => MOTIFS.includes(motifOf(words))));
  });

  test('does not depend on case or on the order of the words', () => {
    expect(motifOf('LAKE Mountain')).toBe(motifOf('mountain lake'));
  });
});
