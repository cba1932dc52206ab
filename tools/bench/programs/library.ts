/** Searches of 20,000 photographs of the operator's own, by an index that is read first or known. */

import { photoIndexPrefix, photoPrefix } from '../../../lambda/contract/image-paths';
import { libraryPathOf } from '../../../lambda/images/library-path';
import { readPhotos } from '../../../lambda/stock/library/manage-photos';
import { type Photo, photosPerFile } from '../../../lambda/stock/library/photo';
import { createPhotoIndex } from '../../../lambda/stock/library/photo-index';
import { createPhotoProvider } from '../../../lambda/stock/providers/library';
import { understand } from '../../../lambda/stock/understand';
import { stemsOf } from '../../../lambda/stock/words';

const count = 20_000;
const words =
  'lake forest harbour bakery bridge tower market window garden river street meadow kitchen office train horse child boat ' +
  'winter summer morning evening red blue green old new quiet busy small';
const vocabulary = words.split(' ');
const word = (seed: number) => vocabulary[seed % vocabulary.length] as string;

function photoOf(number: number): Photo {
  const id = number.toString(16).padStart(20, '0');
  const title = `${word(number * 7)} ${word(number * 3 + 1)} by the ${word(number * 5 + 2)}, number ${number}`;
  const keywords = Array.from({ length: 8 }, (_, index) => word(number + index * 11));
  return {
    id,
    file: `${number}.jpg`,
    title,
    description: `A ${word(number)} in the ${word(number + 5)}, seen from the ${word(number + 9)}`,
    keywords,
    copyright: '© Example',
    width: 3_000,
    height: 2_000,
    addedAt: '2026-01-01T00:00:00.000Z',
    stems: [...stemsOf(title, ...keywords)].join(' '),
    path: libraryPathOf(`${photoPrefix}${id.slice(0, 2)}/${id}.jpg`),
  };
}

const stored = new Map(
  Array.from({ length: count / photosPerFile }, (_, file) => {
    const path = libraryPathOf(`${photoIndexPrefix}${String(file).padStart(64, '0')}.json`);
    const photos = Array.from({ length: photosPerFile }, (__, index) =>
      photoOf(file * photosPerFile + index),
    );
    return [path, Buffer.from(JSON.stringify(photos))] as const;
  }),
);
const paths = [...stored.keys()];
const library = {
  get: async (path: string) => ({
    bytes: stored.get(path as never) as Uint8Array,
    mediaType: 'application/json',
  }),
};
const query = { subject: understand('quiet harbour in the morning'), orientation: 'landscape' } as const;
const open = () => {
  const reading = readPhotos(library, paths).then(createPhotoIndex);
  return createPhotoProvider(() => reading);
};
const countFound = async (provider: ReturnType<typeof open>) =>
  (await provider.search(query, new AbortController().signal)).length;

const loaded = open();
/** A search whose index is in memory. */
export const searchKnown = () => countFound(loaded);
/** The first search of an instance. */
export const handler = () => countFound(open());
