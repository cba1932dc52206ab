/** Answers what OpenAI's clients call below `/v1`. */

import { routes } from '../contract/routes';
import { type HttpRequest, keyHolderOf } from '../http/http-request';
import { type HttpResult, jsonResponse } from '../http/http-response';
import { decodePercent } from '../requests/path-form';
import type { Services } from '../services';
import { openAiError } from './errors';
import { postGenerations } from './generations';
import { modelOf, models, unknownModel } from './order';

/** Answers a call in OpenAI's shape, refusals too: those that all routes have are shaped by `shapeRefusal` of the handler. */
export async function callOpenAi(services: Services, request: HttpRequest): Promise<HttpResult> {
  if (request.resource === routes.generations) return postGenerations(services, request);
  if (request.resource === routes.openAi) {
    const message = 'There is no such call. Use GET /v1/models or POST /v1/images/generations.';
    return openAiError(404, { message, code: 'not_found' });
  }
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return caller;
  const name = request.pathParameters['name'];
  if (name === undefined) return jsonResponse({ object: 'list', data: models.map(described) });
  const { text } = decodePercent(name);
  return modelOf(text) ? jsonResponse(described(text)) : unknownModel(text);
}

/** A model in OpenAI's shape. Its date is 1 January 2026, in Unix seconds: models have no other. */
const described = (id: string) => ({
  id,
  object: 'model',
  created: 1_767_225_600,
  owned_by: 'image-redirect',
});
