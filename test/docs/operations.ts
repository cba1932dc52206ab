/** Reads the OpenAPI document for tests: operations with resolved references, and validators of schemas. */

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describeApi } from '../../lambda/docs/openapi/document';
import type { ApiResponse } from '../../lambda/docs/openapi/errors';
import { type Operation, operations as servedOperations } from '../../lambda/docs/openapi/operations';

export const document = describeApi('https://img.example/prod');

/** Returns the fault of a value, or `undefined` if the schema allows the value. */
type Validator = (value: unknown) => string | undefined;

const validator = new AjvJsonSchemaValidator();
const { components } = JSON.parse(JSON.stringify(document)) as { readonly components: object };
function createValidator(schema: object, knownComponents: object = components): Validator {
  const check = validator.getValidator({ ...schema, components: knownComponents } as object);
  return (value) => check(value).errorMessage;
}

/** Makes a function that returns true if a component allows a value. */
export function createComponentValidator(
  kind: 'schemas' | 'parameters',
  name: string,
): (value: unknown) => boolean {
  const path = kind === 'schemas' ? `schemas/${name}` : `parameters/${name}/schema`;
  const findFault = createValidator({ $ref: `#/components/${path}` });
  return (value) => findFault(value) === undefined;
}

// A schema with `allOf` cannot be closed, because each part would refuse the fields of the others.
const closeObject = (_: string, value: unknown) =>
  value !== null && typeof value === 'object' && 'properties' in value && !('additionalProperties' in value)
    ? { ...value, additionalProperties: false }
    : value;
const closedComponents = JSON.parse(JSON.stringify(components), closeObject);

/** Makes a validator of a body. In plain JSON, fields that the schema does not describe are a fault. */
export function createBodyValidator(mediaType: string, schema: object): Validator {
  const text = JSON.stringify(schema);
  return mediaType === 'application/json'
    ? createValidator(JSON.parse(text, closeObject), closedComponents)
    : createValidator(JSON.parse(text));
}

type Parameter = Readonly<Record<'name' | 'description' | 'in', string>> &
  Partial<{ readonly required: boolean; readonly example: unknown }>;

const namedParameters = document.components.parameters as Readonly<Record<string, Parameter>>;
const findParameter = ({ $ref }: { readonly $ref: string }) =>
  namedParameters[$ref.split('/').at(-1) ?? ''] as Parameter;

export interface ReadOperation extends Operation {
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export const operations: readonly ReadOperation[] = servedOperations.map((each) => ({
  ...each,
  parameters: (each.operation.parameters ?? []).map((parameter) => findParameter(parameter)),
  responses: each.operation.responses,
}));

export function getOperation(path: string, method: string): ReadOperation {
  const operation = operations.find((each) => each.path === path && each.method === method);
  if (!operation) throw new Error(`${method} ${path} is not documented`);
  return operation;
}
