/** Derives the JSON Schemas of bodies from the zod schemas of the code. */

import { imageParameters, parameters } from '../../contract/parameters';
import {
  madeKeySchema,
  newKeySchema,
  ownKeySchema,
  renamedKeySchema,
  rotatedKeySchema,
} from '../../credentials/own-keys';
import { attributionSchema, recordSchema, shortRecordSchema } from '../../images/record';
import { openAiRequestSchema } from '../../openai/openai-request';
import { filledPageSchema, pageSchema } from '../../pages/fill-page';
import { batchImageSchema, batchSchema } from '../../pages/parse-batch';
import { problemSchema } from '../../problems/problem-document';
import { usageBreakdownSchema, usageByKeySchema, usageSchema } from '../../quota/usage/usage-schema';
import { type JsonSchema, writeJsonSchemas } from '../../requests/json-schema';
import { describeProblem, makeSchemaRef } from './errors';

/** Adds the bounds of parameters to the fields of an image in a batch. */
function addBounds({ properties, ...rest }: JsonSchema): JsonSchema {
  const describedProperties = properties as Readonly<Record<string, { readonly description?: string }>>;
  const fields = imageParameters.map((name) => {
    const { type, enum: values, default: _default, ...bounds } = parameters[name].schema;
    const { description } = describedProperties[name] ?? {};
    const types = [type, ...(name === 'seed' ? ['number'] : []), 'null'];
    const choice = values ? { enum: [...(values as readonly string[]), null] } : {};
    return [name, { description, type: types, ...choice, ...bounds }] as const;
  });
  const anyOf = ['query', 'pick'].map((name) => ({
    required: [name],
    properties: { [name]: { type: 'string' } },
  }));
  return { ...rest, properties: { ...describedProperties, ...Object.fromEntries(fields) }, anyOf };
}

const { BatchImage = {}, ...derived } = writeJsonSchemas({
  Image: shortRecordSchema,
  Record: recordSchema,
  Attribution: attributionSchema,
  Batch: batchSchema,
  BatchImage: batchImageSchema,
  Problem: problemSchema,
  OpenAiRequest: openAiRequestSchema,
  Page: pageSchema,
  FilledPage: filledPageSchema,
  NewKey: newKeySchema,
  RenamedKey: renamedKeySchema,
  RotatedKey: rotatedKeySchema,
  Key: ownKeySchema,
  MadeKey: madeKeySchema,
  Usage: usageSchema,
  UsageBreakdown: usageBreakdownSchema,
  UsageByKey: usageByKeySchema,
});

const text: JsonSchema = { type: 'string' };
const textOrNull: JsonSchema = { type: ['string', 'null'] };
const makeObjectSchema = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** The schemas by their names in `#/components/schemas`. */
export const componentSchemas: Readonly<Record<string, JsonSchema>> = {
  ...derived,
  BatchImage: addBounds(BatchImage),
  OpenAiImages: makeObjectSchema({
    created: { type: 'integer', description: 'Unix seconds.' },
    data: {
      type: 'array',
      items: {
        type: 'object',
        required: ['revised_prompt'],
        properties: {
          url: text,
          b64_json: text,
          revised_prompt: { ...textOrNull, description: 'The credit line of a stock image.' },
        },
      },
    },
  }),
  OpenAiError: makeObjectSchema({
    error: makeObjectSchema({ message: text, type: text, param: textOrNull, code: text }),
  }),
  Keys: makeObjectSchema({ keys: { type: 'array', items: makeSchemaRef('Key') } }),
  BatchResult: makeObjectSchema({
    images: { type: 'object', additionalProperties: { anyOf: [makeSchemaRef('Record'), describeProblem()] } },
  }),
};
