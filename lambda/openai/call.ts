/** Answers what OpenAI's clients call below `/v1`. */

import { routes } from '../contract/routes';
import { type HttpRequest, keyHolderOf } from '../http/http-request';
import type { HttpResult } from '../http/http-response';
import { decodePercent } from '../requests/path-form';
import type { Services } from '../services';
import { openAiError } from './errors';
import { postGenerations } from './generations';
import { getModel, listModels } from './models';

/** In OpenAI's shape, what is refused too: `shapeRefusal` of the function sees to the refusals that all routes have. */
export async function callOpenAi(services: Services, request: HttpRequest): Promise<HttpResult> {
  if (request.resource === routes.generations) return postGenerations(services, request);
  if (request.resource === routes.openAi) {
    const message = 'There is no such call. Use GET /v1/models or POST /v1/images/generations.';
    return openAiError(404, { message, code: 'not_found' });
  }
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return caller;
  const name = request.pathParameters['name'];
  return name === undefined ? listModels() : getModel(decodePercent(name).text);
}
