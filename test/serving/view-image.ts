/** A view of an image that a page shows, by the steps of `serveImage`. */

import type { Answer } from '../../lambda/images/answer';
import type { RequestContext } from '../../lambda/quota/request-context';
import { claimForDay, serveAndSettle } from '../../lambda/serving/pay-once';

export async function viewImage(
  serve: (paying: RequestContext) => Promise<Answer>,
  ...view: Parameters<typeof claimForDay>
): Promise<Answer> {
  const paying = await claimForDay(...view);
  return 'refusal' in paying ? paying : serveAndSettle(view[0], paying, () => serve(paying));
}
