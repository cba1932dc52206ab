/** The folders of the image store. */

/** Everybody may load these files. Every other path needs a signature. */
export const openImagePrefixes = ['public/', 'stock/'] as const;

/** Files beside the images: the package of `/client.tgz`, and the card in place of a missing file. */
export const publicFiles = {
  clientPackage: 'public/client.tgz',
  missingFileCard: 'public/gone.svg',
} as const;

/** The photographs of the operator, and the index that lists them. */
export const photoPrefix = 'library/';
export const photoIndexPrefix = 'library/index/';

/** The masters of AI images. Renditions are made from them; nobody else gets them. */
export const masterPrefix = 'masters/';

/** Renditions. They may expire, because they can be made again. `public/` also holds files that stay. */
export const renditionPrefixes = ['public/ai/', 'private/', 'stock/'] as const;

/** The folders that the distribution may read. None of them holds an original. */
export const servedPrefixes = ['public/', 'private/', 'stock/'] as const;

/** Makes the path of the folder with all renditions of a stock image. */
export const makeStockFolder = (pick: string) => `stock/${pick}/`;
/** The folder of cards for images that are gone. No pick has this name. */
export const goneCardFolder = makeStockFolder('gone');

/** Days after which the bucket deletes a rendition. */
export const renditionTtlDays = 30;
/** Days in which a rendition may be requested after it was given out. Shared caches keep a redirect for eight. */
export const reliedOnDays = 10;
