/** A view of an image that a page shows, by the steps of `serveImage`. */

import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { Answer } from '../../lambda/images/answer';
import type { ClaimServices } from '../../lambda/quota/claim';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { ImageRequest } from '../../lambda/requests/image-request';
import { claimForDay, settleClaim } from '../../lambda/serving/pay-once';

export async function viewImage(
  services: ClaimServices,
  caller: KeyedCaller,
  request: ImageRequest,
  context: RequestContext,
  serve: (paying: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  const paying = await claimForDay(services, caller, request, context);
  return 'refusal' in paying ? paying : settleClaim(services, paying, serve(paying));
}
