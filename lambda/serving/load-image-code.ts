/** Loads the code that finds and makes images. A known image does not need it. */

/** Loads `image-code.ts`, which the bundle has in a file of its own. */
export const loadImageCode = () => import('./image-code');
