/** The OpenAPI document for tests: operations with resolved references, and validators of schemas. */

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describeApi } from '../../lambda/docs/openapi/document';
import type { ApiResponse } from '../../lambda/docs/openapi/errors';
import type { Operation } from '../../lambda/docs/openapi/operations';

export const document = describeApi('https://img.example/prod');

/** Returns the fault of a value, or `undefined` if the schema allows the value. */
type Validate = (value: unknown) => string | undefined;

const validator = new AjvJsonSchemaValidator();
const { components } = JSON.parse(JSON.stringify(document)) as { readonly components: object };
function validate(schema: object, known: object = components): Validate {
  const check = validator.getValidator({ ...schema, components: known } as object);
  return (value) => check(value).errorMessage;
}

/** Makes a function that returns true if a component allows a value. */
export function validatorOf(kind: 'schemas' | 'parameters', name: string): (value: unknown) => boolean {
  const path = kind === 'schemas' ? `schemas/${name}` : `parameters/${name}/schema`;
  const faultOf = validate({ $ref: `#/components/${path}` });
  return (value) => faultOf(value) === undefined;
}

// A schema with `allOf` cannot be closed, because each part would refuse the fields of the others.
const closed = (_: string, value: unknown) =>
  value !== null && typeof value === 'object' && 'properties' in value && !('additionalProperties' in value)
    ? { ...value, additionalProperties: false }
    : value;
const closedComponents = JSON.parse(JSON.stringify(components), closed);

/** Makes a validator of a body. In plain JSON, fields that the schema does not describe are a fault. */
export function bodyValidator(mediaType: string, schema: object): Validate {
  const text = JSON.stringify(schema);
  return mediaType === 'application/json'
    ? validate(JSON.parse(text, closed), closedComponents)
    : validate(JSON.parse(text));
}

function resolved<T>(value: unknown): T {
  const { $ref } = value as { readonly $ref?: string };
  if ($ref === undefined) return value as T;
  const component = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], document);
  return component as T;
}

type Parameter = Readonly<Record<'name' | 'description' | 'in', string>> &
  Partial<{ readonly required: boolean; readonly example: unknown }>;

export interface ReadOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export const operations: readonly ReadOperation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
    path,
    method,
    operation,
    parameters: (operation.parameters ?? []).map((parameter) => resolved<Parameter>(parameter)),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [
        status,
        resolved<ApiResponse>(response),
      ]),
    ),
  })),
);

export function operationAt(path: string, method: string): ReadOperation {
  const operation = operations.find((each) => each.path === path && each.method === method);
  if (!operation) throw new Error(`${method} ${path} is not documented`);
  return operation;
}
