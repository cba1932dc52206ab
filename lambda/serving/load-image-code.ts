/** Loads `image-code.ts`, which the bundle has in a file of its own, because a known image does not need it. */
export const loadImageCode = () => import('./image-code');
