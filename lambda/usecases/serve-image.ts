/** Answers a valid request of a known caller: with a stock image or an AI image. */

import type { Caller } from '../domain/caller/caller';
import type { Answer } from '../domain/problem/answer';
import type { ImageRequest } from '../domain/request/image-request';
import type { RequestContext } from '../domain/request/request-context';
import type { ServeAi } from './generation/serve-ai';
import type { ServeStock } from './stock/serve-stock';

export type ServeImage = (request: ImageRequest, caller: Caller, context: RequestContext) => Promise<Answer>;

/** @throws when a table or a function fails; what was charged has been given back by then. */
export function createServeImage(serveStock: ServeStock, serveAi: ServeAi): ServeImage {
  return async (request, caller, context) => {
    if (request.provider !== 'ai') return serveStock(request, context);
    if (caller.kind === 'anonymous')
      return { outcome: 'refused', refusal: { code: 'authentication_required' } };
    return serveAi(request, caller, context);
  };
}
