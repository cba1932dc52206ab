/** Which paths of the image library are delivered to everyone: what CloudFront, its local stand-in and the code agree on. */

/** Images below these prefixes need no signature; every other path does, whatever it is called. */
export const openImagePrefixes = ['public/', 'stock/'] as const;

/** What a deployment publishes beside the images: the package that `/client.tgz` leads to, and the card of a file that is gone. */
export const publicFiles = {
  clientPackage: 'public/client.tgz',
  missingFileCard: 'public/gone.svg',
} as const;

/** Photographs of the operator's own, and the files that list them. */
export const photoPrefix = 'library/';
/** The files that list the operator's photographs. */
export const photoIndexPrefix = 'library/index/';

/** Masters of AI images, which renditions are made from again; they are never given out. */
export const masterPrefix = 'masters/';

/** Renditions, which can be made again at any time, so that they may expire. Beside those, `public/` holds files that stay. */
export const renditionPrefixes = ['public/ai/', 'private/', 'stock/'] as const;

/** What the distribution may read: nothing that others are made from. */
export const servedPrefixes = ['public/', 'private/', 'stock/'] as const;

/** Folder of all renditions of one stock image, so that they can be found and removed. @param pick its public id */
export const stockFolder = (pick: string) => `stock/${pick}/`;

/** Days after which the bucket removes a rendition; one that is asked for again is made again. */
export const renditionDays = 30;
