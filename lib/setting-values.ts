/** Lists a stage's settings by their names with dots, for docs/settings.md and for errors. */

import { closest } from 'fastest-levenshtein';
import * as z from 'zod';

/** A JSON schema of settings. No part of it is the schema `true` or `false`. */
export type SettingSchema = z.core.JSONSchema.BaseSchema & {
  readonly anyOf?: SettingSchema[];
  readonly oneOf?: SettingSchema[];
  readonly items?: SettingSchema;
  readonly properties?: Record<string, SettingSchema>;
  readonly propertyNames?: SettingSchema;
  readonly additionalProperties?: SettingSchema | false;
};

/** Makes the JSON schema of the settings as an operator writes them, without defaults. */
export function makeSettingSchema(schema: z.core.$ZodType): SettingSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as SettingSchema;
}

/**
 * Lists every value that can be set with its default, by its name with dots, such as `plans.*.perSecond`. An object
 * of several kinds has the fields of all kinds.
 * @param isSplit true for a leaf of each name of a record (`plans.free`), false for one leaf of all (`plans.*`)
 */
export function listLeaves(schema: SettingSchema, isSplit = false): ReadonlyMap<string, SettingSchema> {
  const schemasByName = new Map<string, SettingSchema>();
  const defaults = (schema.default ?? {}) as Readonly<Record<string, unknown>>;
  for (const { properties = {} } of [schema, ...(schema.anyOf ?? schema.oneOf ?? [])])
    for (const [name, property] of Object.entries(properties)) {
      const { const: kind, ...field } = property as SettingSchema;
      // The field that tells kinds of an object apart has one constant in each.
      const kinds = kind === undefined ? {} : { enum: [...(schemasByName.get(name)?.enum ?? []), kind] };
      schemasByName.set(name, { default: defaults[name], ...field, ...kinds });
    }
  const { additionalProperties: schemaOfAll, propertyNames } = schema;
  for (const name of (isSplit && propertyNames?.enum) || ['*'])
    if (schemaOfAll) schemasByName.set(String(name), schemaOfAll);
  const leaves = new Map<string, SettingSchema>();
  for (const [name, field] of schemasByName) {
    const fieldLeaves = listLeaves(field, isSplit);
    for (const [path, leaf] of fieldLeaves) leaves.set(`${name}.${path}`, leaf);
    if (fieldLeaves.size === 0 && name !== '*') leaves.set(name, field);
  }
  return leaves;
}

/** Writes a line for each wrong setting. The line of an unknown setting names the nearest known one. */
export function describeSettingFaults(schema: z.ZodType, { issues }: z.ZodError): readonly string[] {
  const names = [...listLeaves(makeSettingSchema(schema), true).keys()].flatMap((leaf) =>
    leaf.split('.').map((_, i, parts) => parts.slice(0, i + 1).join('.')),
  );
  return issues.flatMap(({ path, message, ...issue }) => {
    if (issue.code !== 'unrecognized_keys')
      return `${path.join('.')}: ${message}; given: ${JSON.stringify(issue.input)}`;
    return issue.keys.map((key) => {
      const name = [...path, key].join('.');
      return names.includes(name)
        ? `${name}: not a setting of this kind`
        : `${name}: there is no such setting; the nearest is ${closest(name, names)}`;
    });
  });
}
