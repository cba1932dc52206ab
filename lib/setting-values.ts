/** What the settings of a stage may be, in words: for their reference, and for whoever set one to something else. */

import { closest } from 'fastest-levenshtein';
import * as z from 'zod';

/** A JSON schema, where no part of it is `true` or `false`: settings have no such parts. */
export type JsonSchema = z.core.JSONSchema.BaseSchema & {
  readonly anyOf?: JsonSchema[];
  readonly oneOf?: JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Record<string, JsonSchema>;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | false;
};

/** The JSON schema of what is written, before defaults are filled in. */
export function jsonSchemaOf(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** A value as Markdown writes it. */
export const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const texts: Readonly<Record<string, string>> = {
  uri: 'URL',
  email: 'e-mail address',
  hostname: 'host name',
};

/** What a schema accepts, in words of Markdown. */
export function valuesOf(schema: JsonSchema): string {
  const { type, minimum: min, maximum: max, maxLength, items, propertyNames: names } = schema;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(valuesOf).join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(', ');
  if (names && schema.additionalProperties)
    return `object: ${valuesOf(names)} → ${valuesOf(schema.additionalProperties)}`;
  if (items) return `list, each ${valuesOf(items)}`;
  if (type === 'integer') return `${min?.toLocaleString('en')} to ${max?.toLocaleString('en')}`;
  if (type === 'boolean') return '`true`, `false`';
  if (type !== 'string') return 'any JSON';
  return maxLength ? `text of up to ${maxLength} characters` : (texts[schema.format ?? ''] ?? 'text');
}

/** Says in a line each which settings are faulty, and the nearest name of one that there is not. */
export function describeFaults(schema: z.ZodType, { issues }: z.ZodError): readonly string[] {
  const names = namesIn(jsonSchemaOf(schema));
  return issues.flatMap(({ path, message, ...issue }) => {
    const unknown =
      issue.code === 'unrecognized_keys' ? issue.keys : issue.code === 'invalid_key' ? [''] : [];
    if (unknown.length === 0) return `${path.join('.')}: ${message}; given: ${JSON.stringify(issue.input)}`;
    return unknown
      .map((key) => [...path, key].filter((part) => part !== '').join('.'))
      .map((name) =>
        names.includes(name)
          ? `${name}: not a setting of this kind`
          : `${name}: there is no such setting; the nearest is ${closest(name, names)}`,
      );
  });
}

/** Every name of a setting, with dots; `*` stands for each name of a list that is not given. */
function namesIn(schema: JsonSchema, prefix = ''): string[] {
  const { properties = {}, propertyNames, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const listed = ((additionalProperties && propertyNames?.enum) || []).map(
    (name) => [String(name), additionalProperties as JsonSchema] as const,
  );
  return [
    ...[...Object.entries(properties), ...listed].flatMap(([name, field]) => [
      `${prefix}${name}`,
      ...namesIn(field, `${prefix}${name}.`),
    ]),
    ...[...anyOf, ...oneOf].flatMap((option) => namesIn(option, prefix)),
  ];
}
