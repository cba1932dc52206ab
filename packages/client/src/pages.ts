/** The entry for whole pages: fills and judges their images. Beside this entry the package depends on nothing. */

export type { FilledPage, ImageFinder } from './pages/fill';
export { fillHtml } from './pages/fill-html';
export type { FillOptions, FindImages } from './pages/find';
export { PageTooLarge } from './pages/page-limits';
export type { FilledImage } from './service';
