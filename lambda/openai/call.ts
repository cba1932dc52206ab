/** Responds to clients of OpenAI's API, which ask for models and images below `/v1`. */

import { routes } from '../contract/routes';
import { type HttpRequest, requireKeyHolder } from '../http/http-request';
import { type HttpResult, makeJsonResponse } from '../http/http-response';
import { decodePercent } from '../requests/path-form';
import type { Services } from '../services/services';
import { writeOpenAiError } from './errors';
import { postGenerations } from './generations';
import { findModel, modelNames, refuseModel } from './openai-request';

/** Responds to a call. Refusals of other routes get OpenAI's form in the handler, by `shapeProblem`. */
export async function routeOpenAiCall(services: Services, request: HttpRequest): Promise<HttpResult> {
  if (request.resource === routes.generations) return postGenerations(services, request);
  if (request.resource === routes.openAi) {
    const message = `There is no such call. Use GET ${routes.models} or POST ${routes.generations}.`;
    return writeOpenAiError(404, { message, code: 'not_found' });
  }
  const caller = requireKeyHolder(request);
  if ('refusal' in caller) return caller;
  const name = request.pathParameters['name'];
  if (name === undefined) return makeJsonResponse({ object: 'list', data: modelNames.map(describeModel) });
  const { text: modelName } = decodePercent(name);
  return findModel(modelName) ? makeJsonResponse(describeModel(modelName)) : refuseModel(modelName);
}

/** Describes a model in OpenAI's form. The form demands a date, which is 1 January 2026. */
const describeModel = (id: string) => ({
  id,
  object: 'model',
  created: 1_767_225_600,
  owned_by: 'image-redirect',
});
