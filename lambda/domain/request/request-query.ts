/** Writes a request as the parameters of a URL: what reads them again gets the same request. */

import { parameterDefaults } from '../../contract/request-bounds';
import type { ImageRequest } from './image-request';

/** Parameters that say nothing about the image: how it is answered with. */
const aboutTheAnswer: readonly string[] = ['widthPx', 'heightPx', 'asJson', 'asPlaceholder'];

/** The query string of a request, without those parameters that have their default, and without any credential. */
export function requestQuery(request: ImageRequest): string {
  const { widthPx: width, heightPx: height } = request;
  const choices = Object.entries(request)
    .filter(([name]) => !aboutTheAnswer.includes(name))
    .flatMap(([name, value]) => (isGroup(value) ? Object.entries(value) : [[name, value] as const]));
  const { query, ...others } = Object.fromEntries(choices) as Readonly<Record<string, unknown>>;
  const given = Object.entries(others).filter(
    ([name, value]) => value !== undefined && value !== parameterDefaults[name],
  );
  return Object.entries({ query, width, height, ...Object.fromEntries(given) })
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
