/** The limit of the routes by which an account manages itself: usage and keys. They cost no request. */

import type { KeyedCaller } from '../../credentials/caller';
import type { HttpRequest } from '../../http/http-request';
import type { HttpRefusal } from '../../http/http-response';
import { makeSelfServiceLimit } from '../../quota/caller-limits';
import { type LimitServices, takeUnits } from '../../quota/take';

/** Takes a unit of the account's minute. Returns the refusal if the minute is used up. */
export async function takeSelfServiceUnit(
  services: LimitServices,
  caller: KeyedCaller,
  { requestId }: Pick<HttpRequest, 'requestId'>,
): Promise<HttpRefusal | undefined> {
  const limit = makeSelfServiceLimit(caller, services.clock.nowMs());
  const result = await takeUnits(services, [limit], requestId);
  return result.outcome === 'refused' ? { refusal: result.refusal } : undefined;
}
