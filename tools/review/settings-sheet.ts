/** The reference of the stage settings as Markdown: what each is for, what it may be, and its default per stage. */

import * as z from 'zod';
import { generatorSettings } from '../../lambda/contract/generators';
import { defaultSettings, stageNames, stageSettings } from '../../lib/stage-settings';
import { table } from '../markdown';

/** The parts of a JSON schema that settings use. */
interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | false;
  readonly default?: unknown;
  readonly description?: string;
}

/** Markdown of `docs/settings.md`. */
export function settingsSheet(): string {
  const rows = Object.entries(stageSettings.shape).map(([name, schema]) => {
    const { description = '', ...described } = jsonSchemaOf(schema);
    const [dev, prod] = stageNames.map((stage) => defaultOf(defaultSettings[stage], name));
    const byDefault = dev === prod ? (dev ?? 'not set') : `dev ${dev}, prod ${prod}`;
    const values = name === 'generator' ? 'see [Generators](#generators)' : valuesOf(described);
    return [`\`${name}\``, values, byDefault, `${description}.`];
  });
  return `# Settings of a stage

Written by \`npm run synth\` from \`lib/stage-settings.ts\`. Pass a setting as \`-c name=value\` (objects as JSON), or keep it in \`cdk.json\` under \`context.settings.<stage>\`; the command line wins. \`?\` marks what may be left out. \`npx cdk synth\` refuses a setting that does not exist or has another value than stated here, by name.

${table(['Setting', 'Values', 'Default', 'What it is for'], rows)}

## Generators

\`generator\` is an object whose \`kind\` is one of these.

${generatorSettings.map(generatorTable).join('\n\n')}
`;
}

function generatorTable(schema: z.core.$ZodType): string {
  const { properties = {}, required = [] } = jsonSchemaOf(schema);
  const { kind, ...fields } = properties;
  const rows = Object.entries(fields).map(([name, field]) => [
    `\`${name}\``,
    valuesOf(field),
    required.includes(name) ? 'required' : field.default === undefined ? 'not set' : code(field.default),
    field.description === undefined ? '' : `${field.description}.`,
  ]);
  return `### \`${String(kind?.const)}\`\n\n${table(['Field', 'Values', 'Default', 'What it is for'], rows)}`;
}

function jsonSchemaOf(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

function defaultOf(defaults: object, name: string): string | undefined {
  const value = (defaults as Readonly<Record<string, unknown>>)[name];
  return value === undefined ? undefined : code(value);
}

const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** What a schema accepts, in words. */
function valuesOf(schema: JsonSchema): string {
  const { type, format, minimum, maximum, properties, propertyNames, additionalProperties } = schema;
  if (schema.anyOf) return schema.anyOf.map(valuesOf).join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(', ');
  if (propertyNames && additionalProperties)
    return `object: ${valuesOf(propertyNames)} → ${valuesOf(additionalProperties)}`;
  if (properties) {
    const fields = Object.entries(properties).map(
      ([name, field]) => `\`${name}\`${schema.required?.includes(name) ? '' : '?'}: ${valuesOf(field)}`,
    );
    return `{ ${fields.join('; ')} }`;
  }
  if (type === 'array') {
    const upTo = schema.maxItems === undefined ? '' : ` of up to ${schema.maxItems}`;
    return `list${upTo}, each ${valuesOf(schema.items ?? {})}`;
  }
  if (type === 'integer')
    return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? `whole number from ${minimum}`
      : `${minimum?.toLocaleString('en')} to ${maximum.toLocaleString('en')}`;
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'string') return format === 'uri' ? 'URL' : format === 'email' ? 'e-mail address' : 'text';
  return 'any JSON';
}
