/** Answers a request for a stock image: charged first, looked up beside it, refunded when nothing was found. */

import { type Answer, MeteredFault } from '../../domain/problem/answer';
import type { RateLimitStatus } from '../../domain/quota/quota';
import type { StockRequest } from '../../domain/request/image-request';
import type { RequestContext } from '../../domain/request/request-context';
import type { Meter } from '../metering/meter';
import type { StockAnswer, StockResolver } from './resolve-stock';

export interface ServeStockDeps {
  readonly meter: Meter;
  readonly stock: StockResolver;
}

export type ServeStock = (request: StockRequest, context: RequestContext) => Promise<Answer>;

/** @throws `MeteredFault` when the lookup fails: what was charged has been given back by then. Throws when the meter fails. */
export function createServeStock({ meter, stock }: ServeStockDeps): ServeStock {
  return async (request, { allowance, requestId, format, deadlineMs }) => {
    // Neither needs the other's answer, so they run side by side.
    const [charge, known] = await Promise.all([
      meter.charge(allowance, requestId),
      stock.peek(request, format),
    ]);
    if (charge.outcome === 'refused') return charge;
    const { rateLimit } = charge;
    if (known) return { outcome: 'served', image: known, cache: 'HIT', rateLimit };

    const giveBack = async (): Promise<RateLimitStatus> =>
      charge.outcome === 'charged' ? meter.refund(allowance, requestId, rateLimit) : rateLimit;
    let found: StockAnswer;
    try {
      found = await stock.resolve(request, format, deadlineMs);
    } catch (error) {
      throw new MeteredFault(await giveBack(), error);
    }
    if (found.outcome === 'found') {
      if (found.usage) await stock.report(found.usage);
      return { outcome: 'served', image: found.image, cache: found.cache, rateLimit };
    }
    const code = found.outcome === 'none' ? 'no_image_found' : 'upstream_unavailable';
    return { outcome: 'refused', refusal: { code }, rateLimit: await giveBack() };
  };
}
