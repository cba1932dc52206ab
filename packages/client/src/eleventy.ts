/** Source and options for Eleventy Image, so that it writes markup for the service without fetching or making images. */

import { nearestSize, signedWidth } from './image-size';
import { environmentBase } from './image-source';
import { type ImageSpec, imageUrl, isSigned, pageSize, type SignedSpec, signedUpto } from './image-url';
import { pageWidths } from './service';

/** Which service and which widths. */
export interface EleventyOptions {
  /** Root of the service, or a URL signed with `upto`; `IMAGE_REDIRECT_URL` by default. */
  readonly base?: string;
  /** Widths to offer, in pixels; by default those of a page up to twice the image's own. */
  readonly widths?: readonly number[];
}

/** The arguments of Eleventy Image. */
export interface EleventyImage {
  /** First argument of Eleventy Image: a real URL, because it takes everything else for a file. */
  readonly src: string;
  /** Second argument. The widths are those of images that the service has. */
  readonly options: {
    statsOnly: true;
    formats: ['jpeg'];
    widths: number[];
    imageMetadataOverride: { width: number; height: number; format: 'jpeg' };
    urlFormat(stat: { src: string; width: number }): string;
  };
}

/**
 * @example const { src, options } = eleventyImage({ query: 'mountain lake', width: 640, height: 480 });
 *   generateHTML(await Image(src, options), { alt: 'A lake', sizes: '640px' });
 * @throws `TypeError` without a service, and as `imageUrl`
 */
export function eleventyImage(spec: ImageSpec | SignedSpec, options: EleventyOptions = {}): EleventyImage {
  const base = options.base ?? environmentBase();
  if (!base)
    throw new TypeError('The URL of the service is missing: give it as base, or as IMAGE_REDIRECT_URL');
  const box = pageSize(base, spec);
  const upto = isSigned(base) ? signedUpto(base) : undefined;
  const own = pageWidths.filter((width) => width <= 2 * box.width);
  const wanted = options.widths ?? (upto ? own : [...own, box.width, 2 * box.width]);
  const at = (width: number) => imageUrl(base, { ...(spec as ImageSpec), ...nearestSize(width, box) });
  // A srcset says of a width what its image has.
  const possible = (width: number) => (upto ? signedWidth(width, upto) : nearestSize(width, box).width);
  return {
    src: at(box.width),
    options: {
      statsOnly: true,
      formats: ['jpeg'],
      widths: [...new Set(wanted.map(possible))],
      imageMetadataOverride: { ...nearestSize(4000, box), format: 'jpeg' },
      urlFormat: ({ width }) => at(width),
    },
  };
}
