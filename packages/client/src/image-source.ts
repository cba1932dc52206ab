/** Reads the `src` of a framework's image component. Example: `mountain lake?ratio=3:2&seed=2`; or a signed URL. */

import { type ImageSpec, imageUrl, isSigned, type Ratio, type WantedSize } from './image-url';
import { signedParameters } from './service';

const prefix = 'image-redirect:';

/** Returns true for words or a signed URL. @param isMarked accepts words only behind `image-redirect:` */
export const isOurs = (src: string, isMarked = false): boolean =>
  src.startsWith(prefix) || isSigned(src) || (!isMarked && !/^(?:[a-z][a-z+.-]*:|\.{0,2}\/)/i.test(src));

/** Builds the URL of a source. A ratio in the source wins. @throws `TypeError` for a wrong option, or what `imageUrl` throws */
export function buildSourceUrl(base: string | undefined, src: string, wanted: WantedSize): string {
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

export const readEnvironmentBase = (): string | undefined => globalThis.process?.env?.['IMAGE_REDIRECT_URL'];
