/** Writes a request as query parameters. Parsing them gives the same request. */

import { writeQueryString } from '../../packages/client/src/signer';
import { imageParameters, parameterNames, parameters } from '../contract/parameters';
import type { ImageRequest } from './image-request';

/** The default values, which are not written. The sides have no default here: they are always written. */
const defaults: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(parameterNames.map((name) => [name, parameters[name].defaultValue])),
  width: undefined,
  height: undefined,
};

/** Writes the query string of a request, without any credential. */
export function writeRequestQuery(request: ImageRequest): string {
  return writeQueryString(Object.entries(listRequestParameters(request)));
}

/** Lists the parameters that differ from their defaults, without credentials. */
export function listRequestParameters(request: ImageRequest): Readonly<Record<string, string>> {
  const { widthPx: width, heightPx: height, source: provider } = request;
  const filters = request.source === 'ai' ? {} : request.filters;
  const values: typeof defaults = { ...defaults, ...request, ...filters, width, height, provider };
  const names = imageParameters.filter((name) => values[name] !== defaults[name]);
  return Object.fromEntries(names.map((name) => [name, String(values[name])]));
}
