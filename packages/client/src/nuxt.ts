/** Provides images for Nuxt Image. */

import { fetchRecordAt } from './fetch-records';
import { environmentBase, isOurs, sourceUrl } from './image-source';

/** Options that Nuxt Image gives to a provider: the root of the service, and sizes in pixels. */
export interface ProviderOptions {
  readonly baseURL?: string;
  readonly modifiers?: { readonly width?: number; readonly height?: number };
}

const imageFile = /^[^?]*\.(?:avif|gif|ico|jpe?g|png|svg|webp)(?:\?|$)/i;

/** Makes the provider for `defineProvider` of `@nuxt/image/runtime`. Its `getMeta` is a charged request. */
export default function imageRedirectProvider() {
  const getImage = (src: string, { baseURL, modifiers = {} }: ProviderOptions) => {
    // Nuxt Image puts a slash before every source that is no URL: words look like a file of the site.
    const source = src.replace(/^\//, '');
    if (!isOurs(source) || imageFile.test(source)) return { url: src };
    const url = sourceUrl(baseURL || environmentBase(), source, modifiers);
    const getMeta = async () => {
      const { width, height, placeholder } = await fetchRecordAt(url);
      return { width, height, ...(placeholder && { placeholder: placeholder.dataUri }) };
    };
    return { url, getMeta };
  };
  return { getImage, supportsAlias: true as const };
}
