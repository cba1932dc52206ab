/** What answers the routes that show no image, and what an image seldom needs of them: behind one `import()`. */

import { llmsText } from '../../docs/guide';
import type { HttpRequest } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import type { Services } from '../../services';

export { callOpenAi } from '../../openai/call';
export { postImages } from '../../pages/batch';
export { postPages } from '../../pages/fill-page';
export { getDocument, getElsewhere } from './documents';
export { answerKeys } from './keys';
export { publishingFor, recordOf } from './records';
export { getUsage } from './usage';

/** Answers a message of the protocol by which models ask. */
export async function postMcp(services: Services, request: HttpRequest): Promise<HttpResult> {
  const { postMcp } = await import('../../pages/mcp/route');
  return postMcp(services, request, llmsText(request.rootUrl, services.config.PLANS));
}
