/** Writes a request as the parameters of a URL: what reads them again gets the same request. */

import { imageParameters, parameterNames, parameters } from '../contract/parameters';
import type { ImageRequest } from './image-request';
import { queryStringOf } from './url-signature';

/** The values that are left out: those that parameters have where a request names its words alone. The sides are always stated. */
const unstated: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(parameterNames.map((name) => [name, parameters[name].absent])),
  ...{ width: undefined, height: undefined },
};

/** The query string of a request, without any credential. */
export function requestQuery(request: ImageRequest): string {
  return queryStringOf(Object.entries(requestParameters(request)));
}

/** The parameters of a request, without those that have their default, and without any credential. */
export function requestParameters(request: ImageRequest): Readonly<Record<string, string>> {
  const { widthPx: width, heightPx: height } = request;
  const filters = request.provider === 'ai' ? {} : request.filters;
  const values: typeof unstated = { ...unstated, ...request, ...filters, width, height };
  const stated = imageParameters.filter((name) => values[name] !== unstated[name]);
  return Object.fromEntries(stated.map((name) => [name, String(values[name])]));
}
