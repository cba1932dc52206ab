/** Provides Nuxt Image with URLs of the service. */

import { fetchRecordAt } from './fetch-records';
import { buildSourceUrl, isOurs, readEnvironmentBase } from './image-source';
import type { WantedSize } from './image-url';

type ProviderOptions = { readonly baseURL?: string; readonly modifiers?: WantedSize };
const imageFile = /^[^?]*\.(?:avif|gif|ico|jpe?g|png|svg|webp)(?:\?|$)/i;

/** Creates the provider for `defineProvider` of `@nuxt/image/runtime`. A call of its `getMeta` is charged. */
export default function imageRedirectProvider() {
  const getImage = (src: string, { baseURL, modifiers = {} }: ProviderOptions) => {
    // Nuxt Image puts a slash before every source that is no URL, so words look like a file of the site.
    const source = src.replace(/^\//, '');
    if (!isOurs(source) || imageFile.test(source)) return { url: src };
    const url = buildSourceUrl(baseURL || readEnvironmentBase(), source, modifiers);
    const getMeta = async () => {
      const { width, height, placeholder } = await fetchRecordAt(url);
      return { width, height, ...(placeholder && { placeholder: placeholder.dataUri }) };
    };
    return { url, getMeta };
  };
  return { getImage, supportsAlias: true as const };
}
