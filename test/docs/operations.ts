/** Reads the OpenAPI document for tests: operations with references resolved, and validators of schemas. */

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describeApi } from '../../lambda/docs/openapi/document';
import type { ApiResponse } from '../../lambda/docs/openapi/errors';
import type { Operation } from '../../lambda/docs/openapi/operations';

export const document = describeApi('https://img.example/prod');

/** Says what is wrong with a value; `undefined` where a schema allows it. */
type Validate = (value: unknown) => string | undefined;

const validator = new AjvJsonSchemaValidator();
const { components } = JSON.parse(JSON.stringify(document)) as { readonly components: object };
function validate(schema: object, known: object = components): Validate {
  const check = validator.getValidator({ ...schema, components: known } as object);
  return (value) => check(value).errorMessage;
}

/** Whether a component allows a value. */
export function validatorOf(kind: 'schemas' | 'parameters', name: string): (value: unknown) => boolean {
  const path = kind === 'schemas' ? `schemas/${name}` : `parameters/${name}/schema`;
  const faultOf = validate({ $ref: `#/components/${path}` });
  return (value) => faultOf(value) === undefined;
}

// What is described with `allOf` cannot be closed: each part would refuse the fields of the others.
const closed = (_: string, value: unknown) =>
  value !== null && typeof value === 'object' && 'properties' in value && !('additionalProperties' in value)
    ? { ...value, additionalProperties: false }
    : value;
const closedComponents = JSON.parse(JSON.stringify(components), closed);

/** Whether a body is what a response promises; in plain JSON, it has no field that is not described. */
export function bodyValidator(mediaType: string, schema: object): Validate {
  const text = JSON.stringify(schema);
  return mediaType === 'application/json'
    ? validate(JSON.parse(text, closed), closedComponents)
    : validate(JSON.parse(text));
}

function resolved<T>(value: unknown): T {
  const { $ref } = value as { readonly $ref?: string };
  if ($ref === undefined) return value as T;
  const found = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], document);
  return found as T;
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
  const found = operations.find((operation) => operation.path === path && operation.method === method);
  if (!found) throw new Error(`${method} ${path} is not documented`);
  return found;
}
