/** The entry for whole pages: fills the image places of HTML. Beside this entry the package depends on nothing. */

export { type FilledCode, fillCode, lintCode } from './pages/fill-code';
export {
  type FilledPage,
  type FillOptions,
  type FindImages,
  fillHtml,
} from './pages/fill-html';
export { type Finding, type LintOptions, lintHtml } from './pages/lint-html';
export type { FilledImage } from './service';
