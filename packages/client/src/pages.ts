/** The entry for whole pages: fills and judges their images. Beside this entry the package depends on nothing. */

export {
  type FilledPage,
  type FillOptions,
  type FindImages,
  type ImageFinder,
  PageTooLarge,
} from './pages/fill';
export { fillHtml } from './pages/fill-html';
export type { FilledImage } from './service';
