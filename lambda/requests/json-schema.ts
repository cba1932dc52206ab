/** JSON Schemas of zod schemas, for OpenAPI, for tools of models and for the types of the client package. */

import * as z from 'zod/mini';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

function dropPattern({ jsonSchema: schema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // zod writes a pattern beside a format, which says the same.
  if (schema.format !== undefined) delete schema.pattern;
}

/** Writes JSON Schemas by name. They refer to one another as OpenAPI does. */
export function writeJsonSchemas(
  schemas: Readonly<Record<string, z.core.$ZodType>>,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const writeUriFormat = (id: string) => `#/components/schemas/${id}`;
  const jsonSchemas = z.toJSONSchema(registry, {
    io: 'input',
    uri: writeUriFormat,
    override: dropPattern,
  }).schemas;
  return Object.fromEntries(
    Object.entries(jsonSchemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema]),
  );
}

/** Writes one schema without references. */
export function writeInlineSchema(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _schema, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input', override: dropPattern });
  return jsonSchema;
}
