/** Reads the `src` of a framework's image component: `mountain lake?ratio=3:2&seed=2`, or a signed URL. */

import { type ImageSpec, imageUrl, isSigned, type Ratio, type WantedSize } from './image-url';
import { signedParameters } from './service';

const prefix = 'image-redirect:';

/** Whether a `src` is a signed URL or words. @param isMarked whether words stand behind `image-redirect:` */
export const isOurs = (src: string, isMarked = false): boolean =>
  src.startsWith(prefix) || isSigned(src) || (!isMarked && !/^(?:[a-z][a-z+.-]*:|\.{0,2}\/)/i.test(src));

/** Makes the URL of a source, whose own ratio wins. @throws `TypeError` for a wrong option; as `imageUrl` */
export function sourceUrl(base: string | undefined, src: string, wanted: WantedSize): string {
  const text = src.startsWith(prefix) ? src.slice(prefix.length) : src;
  if (isSigned(text)) return imageUrl(text, wanted.width ? { width: wanted.width } : {});
  if (!base)
    throw new TypeError('The URL of the service is missing: give it as an option, or as IMAGE_REDIRECT_URL');
  const [query = '', ...options] = text.split('?');
  const fields: Record<string, string | number> = { query };
  for (const [name, value] of new URLSearchParams(options.join('?'))) {
    if (name !== 'ratio' && name !== 'site' && !signedParameters.includes(name))
      throw new TypeError(`A source has no option ${name}`);
    fields[name === 'alt' ? 'alternative' : name] = /^(?:width|height)$/.test(name) ? Number(value) : value;
  }
  const spec = fields as unknown as ImageSpec;
  const shape: Ratio | undefined = spec.width && spec.height ? `${spec.width}:${spec.height}` : wanted.ratio;
  const ratio = spec.ratio ?? shape;
  const { width, height } = wanted.width || wanted.height ? wanted : spec;
  return imageUrl(base, { ...spec, ratio, width, height: ratio && width ? undefined : height });
}

/** Reads `IMAGE_REDIRECT_URL`, where there is an environment. */
export const environmentBase = (): string | undefined => globalThis.process?.env?.['IMAGE_REDIRECT_URL'];
