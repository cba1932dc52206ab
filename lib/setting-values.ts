/** Says what the settings of a stage may be, in docs/settings.md and in errors of wrong ones. */

import { closest } from 'fastest-levenshtein';
import * as z from 'zod';

/** A JSON schema without the parts `true` and `false`, which settings do not have. */
export type JsonSchema = z.core.JSONSchema.BaseSchema & {
  readonly anyOf?: JsonSchema[];
  readonly oneOf?: JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Record<string, JsonSchema>;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | false;
};

/** The JSON schema of what an operator writes, before defaults are filled in. */
export function jsonSchemaOf(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** A value as code in Markdown. */
export const markdownCode = (value: unknown) =>
  `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const texts: Readonly<Record<string, string>> = {
  uri: 'URL',
  email: 'e-mail address',
  hostname: 'host name',
};

/** Writes in Markdown what values a schema accepts. */
export function valuesOf(schema: JsonSchema): string {
  const { type, minimum: min, maximum: max, maxLength, items, propertyNames: names } = schema;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(valuesOf).join(' or ');
  if (schema.const !== undefined) return markdownCode(schema.const);
  if (schema.enum) return schema.enum.map(markdownCode).join(', ');
  if (names && schema.additionalProperties)
    return `object: ${valuesOf(names)} → ${valuesOf(schema.additionalProperties)}`;
  if (items) return `list, each ${valuesOf(items)}`;
  if (type === 'integer') return `${min?.toLocaleString('en')} to ${max?.toLocaleString('en')}`;
  if (type === 'boolean') return '`true`, `false`';
  if (type !== 'string') return 'any JSON';
  return maxLength ? `text of up to ${maxLength} characters` : (texts[schema.format ?? ''] ?? 'text');
}

/**
 * Every value that can be set, by its name with dots, such as `plans.free.perSecond`.
 * @param isNamed whether each name of a record has a leaf (`plans.free`), not all together one (`plans.*`)
 */
export function leavesOf(schema: JsonSchema, isNamed = false, prefix = ''): ReadonlyMap<string, JsonSchema> {
  const leaves = new Map<string, JsonSchema>();
  const add = (name: string, field: JsonSchema) => {
    const below = leavesOf(field, isNamed, `${prefix}${name}.`);
    for (const [path, leaf] of below) leaves.set(path, leaf);
    if (below.size === 0 && name !== '*') leaves.set(`${prefix}${name}`, field);
  };
  const kinds = (schema.anyOf ?? schema.oneOf ?? []).filter(({ properties }) => properties);
  const defaults = (schema.default ?? {}) as Readonly<Record<string, unknown>>;
  for (const { properties = {} } of [schema, ...kinds])
    for (const [name, field] of Object.entries(properties)) {
      // The field that tells kinds of an object apart has one constant in each.
      const others = leaves.get(`${prefix}${name}`)?.enum ?? [];
      const { const: kind, ...rest } = field as JsonSchema;
      add(name, { default: defaults[name], ...rest, ...(kind !== undefined && { enum: [...others, kind] }) });
    }
  const { additionalProperties: listed, propertyNames } = schema;
  for (const name of (isNamed && propertyNames?.enum) || ['*']) if (listed) add(String(name), listed);
  return leaves;
}

/** A line for each faulty setting; of an unknown one with the nearest name that exists. */
export function describeFaults(schema: z.ZodType, { issues }: z.ZodError): readonly string[] {
  const names = [...leavesOf(jsonSchemaOf(schema), true).keys()].flatMap((leaf) =>
    leaf.split('.').map((_, i, parts) => parts.slice(0, i + 1).join('.')),
  );
  return issues.flatMap(({ path, message, ...issue }) => {
    if (issue.code !== 'unrecognized_keys')
      return `${path.join('.')}: ${message}; given: ${JSON.stringify(issue.input)}`;
    return issue.keys
      .map((key) => [...path, key].join('.'))
      .map((name) =>
        names.includes(name)
          ? `${name}: not a setting of this kind`
          : `${name}: there is no such setting; the nearest is ${closest(name, names)}`,
      );
  });
}
