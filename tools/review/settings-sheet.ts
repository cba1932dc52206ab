/** Writes `docs/settings.md`: values, default and purpose of each setting of a stage. */

import { writeMarkdownTable } from '../../lambda/docs/text-table';
import { listLeaves, makeSettingSchema, type SettingSchema } from '../../lib/setting-values';
import { makeStageSchema, type StageName } from '../../lib/stage-settings';

const writeCode = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const formatNames: Readonly<Record<string, string>> = {
  uri: 'URL',
  email: 'e-mail address',
  hostname: 'host name',
};

/** Writes the values of a schema in Markdown. */
function describeValues(schema: SettingSchema): string {
  const { type, minimum: min, maximum: max, maxLength, items, propertyNames: names } = schema;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(describeValues).join(' or ');
  if (schema.const !== undefined) return writeCode(schema.const);
  if (schema.enum) return schema.enum.map(writeCode).join(', ');
  if (names && schema.additionalProperties)
    return `object: ${describeValues(names)} → ${describeValues(schema.additionalProperties)}`;
  if (items) return `list, each ${describeValues(items)}`;
  if (type === 'integer') return `${min?.toLocaleString('en')} to ${max?.toLocaleString('en')}`;
  if (type === 'boolean') return '`true`, `false`';
  if (type !== 'string') return 'any JSON';
  return maxLength ? `text of up to ${maxLength} characters` : (formatNames[schema.format ?? ''] ?? 'text');
}

export function writeSettingsSheet(): string {
  const writeDefault = (leaf?: SettingSchema) => (leaf?.default === undefined ? '' : writeCode(leaf.default));
  const listStageLeaves = (name: StageName) => listLeaves(makeSettingSchema(makeStageSchema(name)));
  const [dev, prod] = [listStageLeaves('dev'), listStageLeaves('prod')];
  const rows = [...dev].map(([name, leaf]) => {
    const devDefault = writeDefault(leaf);
    const prodDefault = writeDefault(prod.get(name));
    const defaultText = devDefault === prodDefault ? devDefault : `dev ${devDefault}, prod ${prodDefault}`;
    return [`\`${name}\``, describeValues(leaf), defaultText, leaf.description ? `${leaf.description}.` : ''];
  });
  return `# Settings of a stage

Written by \`npm run synth\` from \`lib/stage-settings.ts\`. Pass a setting as \`-c name=value\` (objects as JSON: \`-c site='{"name":"Pictures"}'\`), or keep it in \`cdk.json\` under \`context.settings.<stage>\`; the command line wins. \`npx cdk synth\` refuses a wrong value, and names the nearest setting for one that does not exist. A name with dots is a field of an object; \`*\` stands for a plan or a provider.

${writeMarkdownTable({ heads: ['Setting', 'Values', 'Default', 'What it is for'], rows })}

Texts of plans: \`{"free":{"texts":{"title":"Free","price":"$0","features":"basic support"}}, …}\`.
`;
}
