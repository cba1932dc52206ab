/** The models of the API in OpenAI's shape: where an image comes from. */

import { type HttpResult, jsonResponse } from '../http/http-response';
import { openAiError } from './errors';

/** Where the images of a model come from: a model that makes them, stock, or stock and a model where nothing fits. */
export const models = ['ai', 'stock', 'auto'] as const;
/** A model by its own name. */
export type Model = (typeof models)[number];

/** What the names of OpenAI's own models begin with, which programs have built in: they mean `ai`. */
const foreign = /^(?:gpt-image|dall-e)-/;

/** How clients expect an image of a model, unless they say otherwise. */
export const usualFormatOf = (name: string) => (name.startsWith('gpt-image-') ? 'b64_json' : 'url');

/** The model that a name means; `undefined` for none. */
export function modelOf(name: string): Model | undefined {
  return foreign.test(name) ? 'ai' : models.find((model) => model === name);
}

/** The refusal of a name that means no model. */
export function unknownModel(name: string): HttpResult {
  const message = `The model ${JSON.stringify(name.slice(0, 40))} does not exist. Use one of ${models.join(', ')}.`;
  return openAiError(404, { message, code: 'model_not_found', param: 'model' });
}

/** 1 January 2026, in Unix seconds: models have no other date. */
const created = 1_767_225_600;
const described = (id: string) => ({ id, object: 'model', created, owned_by: 'image-redirect' });

/** Answers `GET /v1/models`. */
export function listModels(): HttpResult {
  return jsonResponse({ object: 'list', data: models.map(described) });
}

/** Answers `GET /v1/models/{id}`. */
export function getModel(name: string): HttpResult {
  return modelOf(name) ? jsonResponse(described(name)) : unknownModel(name);
}
