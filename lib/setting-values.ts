/** Names the settings of a stage with dots, for docs/settings.md and for errors of wrong ones. */

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

/** Makes the JSON schema of what an operator writes, before defaults are filled in. */
export function jsonSchemaOf(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/**
 * Lists every value that can be set, by its name with dots, such as `plans.free.perSecond`.
 * @param isSplit whether each name of a record has a leaf (`plans.free`), not all together one (`plans.*`)
 */
export function leavesOf(schema: JsonSchema, isSplit = false, prefix = ''): ReadonlyMap<string, JsonSchema> {
  const leaves = new Map<string, JsonSchema>();
  const add = (name: string, field: JsonSchema) => {
    const below = leavesOf(field, isSplit, `${prefix}${name}.`);
    for (const [path, leaf] of below) leaves.set(path, leaf);
    if (below.size === 0 && name !== '*') leaves.set(`${prefix}${name}`, field);
  };
  const kinds = (schema.anyOf ?? schema.oneOf ?? []).filter(({ properties }) => properties);
  const defaults = (schema.default ?? {}) as Readonly<Record<string, unknown>>;
  for (const { properties = {} } of [schema, ...kinds])
    for (const [name, field] of Object.entries(properties)) {
      // The field that tells kinds of an object apart has one constant in each.
      const earlierKinds = leaves.get(`${prefix}${name}`)?.enum ?? [];
      const { const: kind, ...fieldSchema } = field as JsonSchema;
      add(name, {
        default: defaults[name],
        ...fieldSchema,
        ...(kind !== undefined && { enum: [...earlierKinds, kind] }),
      });
    }
  const { additionalProperties: listed, propertyNames } = schema;
  for (const name of (isSplit && propertyNames?.enum) || ['*']) if (listed) add(String(name), listed);
  return leaves;
}

/** Writes a line for each faulty setting; of an unknown one with the nearest name that exists. */
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
