/** The reference of the stage settings as Markdown: what each is for, what it may be, and its default per stage. */

import type * as z from 'zod';
import { generatorSettings } from '../../lambda/contract/generators';
import { code, jsonSchemaOf, valuesOf } from '../../lib/setting-values';
import { defaultSettings, stageNames, stageSettings } from '../../lib/stage-settings';
import { table } from '../markdown';

/** Settings that are one of several kinds of object. */
const choices: Readonly<Record<string, readonly z.core.$ZodType[]>> = {
  generator: generatorSettings,
};

/** Markdown of `docs/settings.md`. */
export function settingsSheet(): string {
  const rows = Object.entries(stageSettings.shape).map(([name, schema]) => {
    const { description = '', ...described } = jsonSchemaOf(schema);
    const [dev, prod] = stageNames.map((stage) => defaultOf(defaultSettings[stage], name));
    const byDefault = dev === prod ? (dev ?? 'not set') : `dev ${dev}, prod ${prod}`;
    const values = name in choices ? `see [${name}](#${name})` : valuesOf(described);
    return [`\`${name}\``, values, byDefault, `${description}.`];
  });
  return `# Settings of a stage

Written by \`npm run synth\` from \`lib/stage-settings.ts\`. Pass a setting as \`-c name=value\` (objects as JSON), or keep it in \`cdk.json\` under \`context.settings.<stage>\`; the command line wins. \`?\` marks what may be left out. \`npx cdk synth\` refuses a setting that does not exist or has another value than stated here, by name.

${table(['Setting', 'Values', 'Default', 'What it is for'], rows)}

${Object.entries(choices).map(choiceSection).join('\n\n')}
`;
}

function choiceSection([name, kinds]: [string, readonly z.core.$ZodType[]]): string {
  return `## ${name}\n\nAn object whose \`kind\` is one of these.\n\n${kinds.map(kindTable).join('\n\n')}`;
}

function kindTable(schema: z.core.$ZodType): string {
  const { properties = {}, required = [] } = jsonSchemaOf(schema);
  const { kind, ...fields } = properties;
  const rows = Object.entries(fields).map(([name, field]) => [
    `\`${name}\``,
    valuesOf(field),
    required.includes(name) ? 'required' : field.default === undefined ? 'not set' : code(field.default),
    field.description === undefined ? '' : `${field.description}.`,
  ]);
  const title = `### \`${String(kind?.const)}\``;
  return rows.length === 0
    ? `${title}\n\nNo other field.`
    : `${title}\n\n${table(['Field', 'Values', 'Default', 'What it is for'], rows)}`;
}

function defaultOf(defaults: object, name: string): string | undefined {
  const value = (defaults as Readonly<Record<string, unknown>>)[name];
  return value === undefined ? undefined : code(value);
}
