/**
 * CloudFront Function before the cache: puts everything that a cache key needs, and the viewer's IP address, into a form
 * of its own. The runtime (cloudfront-js-2.0) knows ECMAScript 5.1 with const, let, arrow functions and templates; the
 * test of its bundle refuses any other syntax.
 */

import { edgeHeaders } from '../../contract/edge';
import { formatFor } from '../../http/accept';
import { fullNameOf } from '../../requests/parameter-names';

/** A header or query parameter; `multiValue` holds all values of one that came more than once. */
interface Values {
  value: string;
  multiValue?: { value: string }[];
}

/** A request as CloudFront hands it to the function, which may change it. */
export interface ViewerRequest {
  method: string;
  uri: string;
  /** Values by name, percent-encoded as they came; CloudFront takes a text in its place. */
  querystring: Record<string, Values> | string;
  /** By their names in lower case. */
  headers: Record<string, Values | undefined>;
}

interface ViewerRequestEvent {
  context: { requestId: string };
  viewer: { ip: string };
  request: ViewerRequest;
}

declare global {
  /** Names of the recognised parameters in the order of the cache key; the bundle replaces it by the list. */
  var EDGE_PARAMETERS: readonly string[];
}

/** The request with which CloudFront looks into its cache and asks the API. */
export function handler(event: ViewerRequestEvent): ViewerRequest {
  const request = event.request;
  const headers = request.headers;
  const query = request.querystring;
  const parameters = parametersIn(query);
  const hasSiteKey = parameters.some((parameter) => parameter.name === 'site');
  if (typeof query !== 'string') request.querystring = recognisedIn(parameters);
  const dropped = droppedFrom(parameters);
  if (dropped === '') delete headers[edgeHeaders.dropped];
  else headers[edgeHeaders.dropped] = { value: dropped };
  request.uri = request.uri.split('/').map(canonicalSegment).join('/');
  delete headers[edgeHeaders.lock];
  headers[edgeHeaders.viewerIp] = { value: event.viewer.ip };
  headers[edgeHeaders.format] = { value: formatFor(textOf(headers['accept'])) };
  headers[edgeHeaders.audience] = { value: audienceOf(headers, hasSiteKey, event.context.requestId) };
  return request;
}

/**
 * What is charged by a key in a header is never shared, whatever the answer says about caches; what a site key shows, among
 * the requests that its origins admit alike. A header without a value changes nothing, as at the origin.
 */
function audienceOf(headers: ViewerRequest['headers'], hasSiteKey: boolean, requestId: string): string {
  const isKeyed =
    valuesOf(headers['x-api-key']).some((value) => value.trim() !== '') ||
    valuesOf(headers['authorization']).some((value) => !/^\s*(bearer\s*)?$/i.test(value));
  if (isKeyed) return requestId;
  if (!hasSiteKey) return 'all';
  const origin = textOf(headers['origin']);
  if (origin !== '') return `page ${origin}`;
  const referer = textOf(headers['referer']);
  if (referer !== '') return `page ${(/^https?:\/\/[^/?#]+/i.exec(referer) || [referer])[0]}`;
  return `no page ${textOf(headers['sec-fetch-dest'])} ${textOf(headers['sec-fetch-site'])}`;
}

/** A parameter under its full name, with all of its values, percent-encoded as they came. */
interface Parameter {
  name: string;
  values: { value: string }[];
}

function parametersIn(query: ViewerRequest['querystring']): Parameter[] {
  const given: Parameter[] = [];
  if (typeof query === 'string') return given;
  for (const raw in query) {
    const values = query[raw] as Values;
    given.push({ name: fullNameOf(decoded(raw)), values: values.multiValue || [values] });
  }
  return given;
}

/** The recognised parameters in a fixed order, with all of their values; the origin ignores all others. */
function recognisedIn(given: Parameter[]): string {
  const pairs: string[] = [];
  globalThis.EDGE_PARAMETERS.forEach((name) => {
    given.forEach((parameter) => {
      if (parameter.name === name)
        parameter.values.forEach((each) => {
          pairs.push(`${name}=${canonical(each.value.replace(/\+/g, '%20'))}`);
        });
    });
  });
  return pairs.join('&');
}

/** The first ten names that are not recognised, so that the origin can tell the caller of them. */
function droppedFrom(given: Parameter[]): string {
  return given
    .filter((parameter) => globalThis.EDGE_PARAMETERS.indexOf(parameter.name) < 0)
    .slice(0, 10)
    .map((parameter) => encodeURIComponent(parameter.name).slice(0, 100))
    .join(',');
}

/** One percent-encoding of a text; broken ones stay as they came. */
function canonical(text: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(text));
  } catch (_) {
    return text;
  }
}

function canonicalSegment(segment: string): string {
  const text = canonical(segment);
  // A segment of dots means another path.
  return text === '.' || text === '..' ? segment : text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch (_) {
    return text;
  }
}

function valuesOf(header: Values | undefined): string[] {
  return header ? (header.multiValue || [header]).map((each) => each.value) : [];
}

function textOf(header: Values | undefined): string {
  return valuesOf(header).join(', ');
}
