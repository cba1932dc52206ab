/** The folders of the image store. */

/** Everybody may load these files; every other path needs a signature. */
export const openImagePrefixes = ['public/', 'stock/'] as const;

/** Published beside the images: the package behind `/client.tgz`, and the card of a file that is gone. */
export const publicFiles = {
  clientPackage: 'public/client.tgz',
  missingFileCard: 'public/gone.svg',
} as const;

/** Photographs of the operator; the files below the index list them. */
export const photoPrefix = 'library/';
export const photoIndexPrefix = 'library/index/';

/** Masters of AI images, from which renditions are made; never given out. */
export const masterPrefix = 'masters/';

/** Renditions, which may expire as they can be made again. `public/` also holds files that stay. */
export const renditionPrefixes = ['public/ai/', 'private/', 'stock/'] as const;

/** The folders that the distribution may read: no original. */
export const servedPrefixes = ['public/', 'private/', 'stock/'] as const;

/** Names the folder of all renditions of a stock image, by its pick. */
export const stockFolder = (pick: string) => `stock/${pick}/`;
/** The folder of cards in place of images that are gone: no pick is named so. */
export const goneCardFolder = stockFolder('gone');

/** Days after which the bucket deletes a rendition. */
export const renditionTtlDays = 30;
/**
 * Days after its last read in which a rendition may still be requested: instances remember it for a day, and
 * shared caches keep a redirect to it for eight.
 */
export const reliedOnDays = 10;
