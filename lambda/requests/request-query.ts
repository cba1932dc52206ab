/** Writes a request as the parameters of a URL: what reads them again gets the same request. */

import { parameters } from '../contract/parameters';
import type { ImageRequest } from './image-request';

/** The values that parameters have where a request names its words alone. */
const defaults: Readonly<Record<string, unknown>> = parameters.parse({ query: 'words' });

/** Parameters that say nothing about the image: how it is answered with. */
const aboutTheAnswer: readonly string[] = ['widthPx', 'heightPx', 'asJson', 'asPlaceholder'];

/** The query string of a request, without any credential. */
export function requestQuery(request: ImageRequest): string {
  return Object.entries(requestParameters(request))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The parameters of a request, without those that have their default, and without any credential. */
export function requestParameters(request: ImageRequest): Readonly<Record<string, string>> {
  const { widthPx: width, heightPx: height } = request;
  const choices = Object.entries(request)
    .filter(([name]) => !aboutTheAnswer.includes(name))
    .flatMap(([name, value]) => (isGroup(value) ? Object.entries(value) : [[name, value] as const]));
  const { query, ...others } = Object.fromEntries(choices) as Readonly<Record<string, unknown>>;
  const given = Object.entries(others).filter(
    ([name, value]) => value !== undefined && value !== defaults[name],
  );
  const words = query === '' ? {} : { query };
  const all = Object.entries({ ...words, width, height, ...Object.fromEntries(given) });
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]));
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
