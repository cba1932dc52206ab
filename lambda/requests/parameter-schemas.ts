/** JSON Schemas of the parameters, from the very schema that validates them: for OpenAPI and the tools of models. */

import * as z from 'zod/mini';
import { type ParameterName, parameters, parameterTexts } from '../contract/parameters';

type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON Schemas of the values that the parser works with: whole numbers, and text as it is after normalisation. */
const schemas = z.toJSONSchema(parameters, { io: 'output' }).properties as Readonly<
  Record<ParameterName, JsonSchema>
>;

/** The schema of one parameter's value. */
export function schemaOf(name: ParameterName): JsonSchema {
  return { ...schemas[name], ...parameterTexts[name].characters };
}
