/** What the settings of a stage may be, in words: for their reference, and for whoever set one to something else. */

import { closest } from 'fastest-levenshtein';
import * as z from 'zod';

/** The parts of a JSON schema that settings use. */
export interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | false;
  readonly default?: unknown;
  readonly description?: string;
}

/** The JSON schema of what is written, before defaults are filled in. */
export function jsonSchemaOf(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** A value as Markdown writes it. */
export const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** What a schema accepts, in words of Markdown. */
export function valuesOf(schema: JsonSchema): string {
  const { type, minimum, maximum, items, properties, propertyNames, additionalProperties } = schema;
  const options = optionsOf(schema);
  if (options) return options.map(valuesOf).join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(', ');
  if (propertyNames && additionalProperties)
    return `object: ${valuesOf(propertyNames)} → ${valuesOf(additionalProperties)}`;
  if (properties) return `object with some of ${Object.keys(properties).map(code).join(', ')}`;
  if (items) return `list, each ${valuesOf(items)}`;
  if (type === 'integer') return `${minimum?.toLocaleString('en')} to ${maximum?.toLocaleString('en')}`;
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'string') return textOf(schema);
  return 'any JSON';
}

const textFormats: Readonly<Record<string, string>> = {
  uri: 'URL',
  email: 'e-mail address',
  hostname: 'host name',
};

function textOf({ format, maxLength }: JsonSchema): string {
  if (maxLength !== undefined) return `text of up to ${maxLength} characters`;
  return textFormats[format ?? ''] ?? 'text';
}

const optionsOf = ({ anyOf, oneOf }: JsonSchema) => anyOf ?? oneOf;

/**
 * Says in a line each which settings are faulty and what they may be.
 * @param given what was checked against the schema
 */
export function describeFaults(schema: z.ZodType, given: unknown, { issues }: z.ZodError): readonly string[] {
  const root = jsonSchemaOf(schema);
  return issues.flatMap((issue) => {
    const path = issue.path.join('.');
    const { part, value } = partAt(root, given, issue.path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(
        (key) =>
          `${[...issue.path, key].join('.')}: there is no such setting; the nearest is ${closest(key, namesOf(part))}`,
      );
    if (issue.code === 'custom' || (issue.code === 'invalid_format' && issue.format === 'regex'))
      return [`${path}: ${issue.message}`];
    const allowed = valuesOf(part).replaceAll('`', '');
    return [`${path}: allowed: ${allowed}; given: ${JSON.stringify(value) ?? 'nothing'}`];
  });
}

const namesOf = ({ properties, propertyNames }: JsonSchema): readonly string[] =>
  properties ? Object.keys(properties) : (propertyNames?.enum ?? []).map(String);

/** What stands at a path of a value, and the part of its schema that it has to match. */
function partAt(
  schema: JsonSchema,
  value: unknown,
  path: readonly PropertyKey[],
): { readonly part: JsonSchema; readonly value: unknown } {
  const options = optionsOf(schema)?.filter(({ properties }) => properties);
  const kind = fieldOf(value, 'kind');
  const chosen = options?.find(({ properties }) => properties?.['kind']?.const === kind);
  if (chosen) return partAt(chosen, value, path);
  const [name, ...rest] = path;
  if (name === undefined) return { part: schema, value };
  const field = String(name);
  const part = options
    ? { anyOf: options.map(({ properties }) => properties?.[field] ?? {}) }
    : (schema.properties?.[field] ?? (schema.additionalProperties || schema.items) ?? {});
  return partAt(part, fieldOf(value, field), rest);
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
