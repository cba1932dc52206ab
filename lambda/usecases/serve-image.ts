/** Answers a valid request of a known caller: by looking a picture up or by having one made. */

import type { Answer } from '../domain/answer/answer';
import type { Caller } from '../domain/caller/caller';
import type { ImageRequest } from '../domain/request/image-request';
import type { ServeAi } from './generation/serve-ai';
import type { Circumstances, ServeStock } from './serve-stock';

export type ServeImage = (
  request: ImageRequest,
  caller: Caller,
  circumstances: Circumstances,
) => Promise<Answer>;

/**
 * @param loadAi loads what only AI pictures need, so that the many stock requests do not pay for it
 * @throws when a table or a function fails; what was charged has been given back by then.
 */
export function createServeImage(serveStock: ServeStock, loadAi: () => Promise<ServeAi>): ServeImage {
  return async (request, caller, circumstances) => {
    if (request.provider !== 'ai') return serveStock(request, circumstances);
    if (caller.kind === 'anonymous')
      return { outcome: 'refused', refusal: { code: 'authentication_required' } };
    const serveAi = await loadAi();
    return serveAi(request, caller, circumstances);
  };
}
