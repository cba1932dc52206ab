/** The entry for whole pages: fills and judges their images. Beside this entry the package depends on nothing. */

export type { FilledPage, ImageFinder } from './pages/fill';
export { fillHtml } from './pages/fill-html';
export { fillText } from './pages/fill-text';
export type { FillOptions, FindImages } from './pages/find';
export { type Finding, type LintOptions, lintHtml, lintText } from './pages/lint-html';
export { PageTooLarge } from './pages/page-limits';
export type { FilledImage } from './service';
