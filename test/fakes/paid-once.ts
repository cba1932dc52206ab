/** Use this where a test is about paying once a day: it serves the images in place of `serveStock`. */

import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { Answer } from '../../lambda/quota/answer';
import type { ClaimServices } from '../../lambda/quota/claim';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { ImageRequest } from '../../lambda/requests/image-request';
import { serveImage } from '../../lambda/serving/serve-image';
import { accountId } from './values';

type Serve = (context: RequestContext) => Promise<Answer>;

jest.mock('../../lambda/stock/serve-stock', () => ({
  serveStock: ({ serve }: { readonly serve: Serve }, ...[, , context]: [unknown, unknown, RequestContext]) =>
    serve(context),
}));

export const signer: KeyedCaller = {
  kind: 'live',
  account: accountId('acc_1'),
  plan: 'free',
  keyId: 'sg_1',
  publishedAs: 'signer',
};

/** Has an image paid and served. @param serve pays in the context that it is given, and serves the image */
export const servePaidOnce = (
  services: ClaimServices,
  request: ImageRequest,
  context: RequestContext,
  serve: Serve,
) => serveImage({ ...services, serve, config: { SLOT_BINDINGS: {} } } as never, request, signer, context);
