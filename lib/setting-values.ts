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
export function makeJsonSchema(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/**
 * Lists every value that can be set, by its name with dots, such as `plans.*.perSecond`.
 * @param isSplit whether each name of a record has leaves of its own (`plans.free`), not all together (`plans.*`)
 */
export function listLeaves(schema: JsonSchema, isSplit = false): ReadonlyMap<string, JsonSchema> {
  const leaves = new Map<string, JsonSchema>();
  for (const [name, field] of listFields(schema, isSplit)) {
    const fieldLeaves = listLeaves(field, isSplit);
    for (const [path, leaf] of fieldLeaves) leaves.set(`${name}.${path}`, leaf);
    if (fieldLeaves.size === 0 && name !== '*') leaves.set(name, field);
  }
  return leaves;
}

/** Lists the fields of an object, or of all its kinds, with their defaults. */
function listFields(schema: JsonSchema, isSplit: boolean): ReadonlyMap<string, JsonSchema> {
  const fields = new Map<string, JsonSchema>();
  const defaults = (schema.default ?? {}) as Readonly<Record<string, unknown>>;
  for (const { properties = {} } of [schema, ...(schema.anyOf ?? schema.oneOf ?? [])])
    for (const [name, property] of Object.entries(properties)) {
      const { const: kind, ...field } = property as JsonSchema;
      // The field that tells kinds of an object apart has one constant in each.
      const kinds = kind === undefined ? {} : { enum: [...(fields.get(name)?.enum ?? []), kind] };
      fields.set(name, { default: defaults[name], ...field, ...kinds });
    }
  const { additionalProperties: schemaOfAll, propertyNames } = schema;
  for (const name of (isSplit && propertyNames?.enum) || ['*'])
    if (schemaOfAll) fields.set(String(name), schemaOfAll);
  return fields;
}

/** Writes a line for each faulty setting; of an unknown one with the nearest name that exists. */
export function describeFaults(schema: z.ZodType, { issues }: z.ZodError): readonly string[] {
  const names = [...listLeaves(makeJsonSchema(schema), true).keys()].flatMap((leaf) =>
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
