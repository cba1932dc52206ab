/** Picks the width at which Wikimedia's image servers hand out an image: they know a short list of widths only. */

import { coverScale } from '../../images/image';
import type { Size } from '../../requests/rendition';

/** https://www.mediawiki.org/wiki/Common_thumbnail_sizes; every other width is answered with 400. */
const steps = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840] as const;

/** The step that is asked for in a search, from whose URL the others differ in the number alone. */
export const askedStep = 1920;

/** The smallest step that is at least as wide, or `undefined` beyond the widest. */
function stepFor(widthPx: number): number | undefined {
  return steps.find((step) => step >= widthPx);
}

/**
 * The smallest copy that covers a size. A step as wide as the original or wider does not exist: the original itself is
 * taken then, which is exempt from the steps.
 * @param thumbUrl what the API named for `askedStep`; it is the original where that is narrower
 */
export function stepUrl(
  original: Size & { readonly url: string },
  thumbUrl: string | undefined,
  wanted: Size,
): string {
  const step = stepFor(Math.ceil(original.widthPx * coverScale(original, wanted)));
  if (step === undefined || step >= original.widthPx || thumbUrl === undefined) return original.url;
  const segment = /\/\d+px-(?=[^/]*$)/;
  const { origin, pathname, search } = new URL(thumbUrl);
  if (!segment.test(pathname)) return step <= askedStep ? thumbUrl : original.url;
  return `${origin}${pathname.replace(segment, `/${step}px-`)}${search}`;
}
