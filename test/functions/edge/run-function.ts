/** Runs the CloudFront Function of the edge outside CloudFront. */

import type { IncomingMessage } from 'node:http';
import { createContext, runInContext } from 'node:vm';
import type { handler, ViewerRequest } from '../../../lambda/functions/edge/viewer-request';

/** What the function has made of a request. */
interface ShapedRequest {
  /** Path and query string, percent-encoded. */
  readonly target: string;
  /** Values by name in lower case; those of a header that came more than once are joined. */
  readonly headers: Readonly<Record<string, string>>;
}

type ShapeRequest = (
  request: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>,
  viewerIp: string,
  requestId: string,
) => ShapedRequest;

/** @param code the function's source, with a global `handler`; it has the language and nothing else */
export function runnerOf(code: string): ShapeRequest {
  const run = runInContext(`${code}\nhandler`, createContext({}, { codeGeneration: { strings: false } }));
  return ({ method = 'GET', url = '/', rawHeaders }, ip, requestId) => {
    const [uri = '/', search = ''] = cut(url, '?');
    const request: ViewerRequest = {
      method,
      uri: uri === '' ? '/' : uri,
      querystring: valuesOf(search.split('&').flatMap((pair) => (pair === '' ? [] : [cut(pair, '=')]))),
      headers: valuesOf(
        rawHeaders.flatMap((name, i) =>
          i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1] ?? ''] as const] : [],
        ),
      ),
    };
    const shaped = (run as typeof handler)({ context: { requestId }, viewer: { ip }, request });
    const query = typeof shaped.querystring === 'string' ? shaped.querystring : '';
    const headers = Object.entries(shaped.headers).flatMap(([name, values]) =>
      values ? [[name, (values.multiValue ?? [values]).map(({ value }) => value).join(', ')]] : [],
    );
    return {
      target: query === '' ? shaped.uri : `${shaped.uri}?${query}`,
      headers: Object.fromEntries(headers),
    };
  };
}

/** CloudFront's form: the last value, and all of them where there are several. */
function valuesOf(pairs: readonly (readonly [string, string])[]) {
  const all = new Map<string, { value: string }[]>();
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), { value }]);
  return Object.fromEntries(
    [...all].map(([name, multiValue]) => [
      name,
      { value: multiValue.at(-1)?.value ?? '', ...(multiValue.length > 1 ? { multiValue } : {}) },
    ]),
  );
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
