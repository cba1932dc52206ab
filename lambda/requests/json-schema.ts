/** JSON Schemas of the schemas that validate: for OpenAPI, the tools of models, and the types of the client package. */

import * as z from 'zod/mini';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A format says enough without the pattern that zod writes beside it. */
function shorten({ jsonSchema: schema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.format !== undefined) delete schema.pattern;
}

/**
 * Schemas by name, which refer to one another by `#/components/schemas/…`. Objects may have more properties than they
 * state.
 */
export function jsonSchemasOf(
  schemas: Readonly<Record<string, z.core.$ZodType>>,
): Record<string, JsonSchema> {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) named.add(schema, { id });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const made = z.toJSONSchema(named, { io: 'input', uri, override: shorten }).schemas;
  return Object.fromEntries(
    Object.entries(made).map(([name, { $schema: _, $id: _id, ...schema }]) => [name, schema]),
  );
}

/** One schema by itself, without references. */
export function inlineSchemaOf(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input', override: shorten });
  return made;
}
