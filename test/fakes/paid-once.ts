/** Use this where a test is about paying once a day: it finds the images in place of the search. */

import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { ImageOutcome } from '../../lambda/images/image-outcome';
import type { ClaimServices } from '../../lambda/quota/claim';
import type { Payment } from '../../lambda/quota/payment';
import type { ImageRequest } from '../../lambda/requests/image-request';
import { chargeAndServe } from '../../lambda/serving/charge-and-serve';
import type { RequestContext } from '../../lambda/serving/request-context';
import type { LookupContext } from '../../lambda/stock/search/lookup';
import { makeAccountId } from './values';

/** Finds the image of a request that is paid. */
export type Find = (context: LookupContext) => Promise<ImageOutcome>;

jest.mock('../../lambda/services/image-services', () => ({ createImageServices: async (s: object) => s }));
jest.mock('../../lambda/stock/search/obtain-image', () => ({
  obtainStockImage: ({ find }: { readonly find: Find }, _: unknown, context: LookupContext) => find(context),
}));
jest.mock('../../lambda/stock/stored-answers', () => ({
  readStoredAnswer: async () => ({}),
}));

export const signer: KeyedCaller = {
  kind: 'live',
  account: makeAccountId('acc_1'),
  plan: 'free',
  keyId: 'sg_1',
  publishedAs: 'signer',
};

/** Has an image paid, found and settled. */
export const servePaidOnce = (
  services: ClaimServices,
  request: ImageRequest,
  context: RequestContext,
  find: Find,
  priorPayment?: Payment,
) => chargeAndServe({ ...services, find } as never, { request, caller: signer, context }, priorPayment);
