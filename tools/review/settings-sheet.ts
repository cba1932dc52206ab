/** The reference of the stage settings as Markdown: one table of what each may be, its default, and what it is for. */

import { code, type JsonSchema, jsonSchemaOf, valuesOf } from '../../lib/setting-values';
import { stageNames, stageSettings } from '../../lib/stage-settings';
import { markdownTable } from './cost-sheet';

/** Markdown of `docs/settings.md`. */
export function settingsSheet(): string {
  const [dev, prod] = stageNames.map((name) => leavesOf(jsonSchemaOf(stageSettings(name)))) as [
    Leaves,
    Leaves,
  ];
  const rows = [...dev].map(([name, leaf]) => {
    const inDev = defaultOf(leaf);
    const inProd = defaultOf(prod.get(name));
    const byDefault = inDev === inProd ? inDev : `dev ${inDev}, prod ${inProd}`;
    return [`\`${name}\``, valuesOf(leaf), byDefault, leaf.description ? `${leaf.description}.` : ''];
  });
  return `# Settings of a stage

Written by \`npm run synth\` from \`lib/stage-settings.ts\`. Pass a setting as \`-c name=value\` (objects as JSON: \`-c site='{"name":"Pictures"}'\`), or keep it in \`cdk.json\` under \`context.settings.<stage>\`; the command line wins. \`npx cdk synth\` refuses a setting that does not exist or has another value than stated here, and names the nearest one. A name with dots is a field of an object; \`*\` stands for each name of a list.

${markdownTable(['Setting', 'Values', 'Default', 'What it is for'], rows)}

The texts of the plans as the specification has them, which \`npm start\` shows: \`{"free":{"texts":{"title":"Free","price":"$0","features":"API key, AI images, basic support"}}, …}\`.
`;
}

type Leaves = ReadonlyMap<string, JsonSchema>;

/** Every value that can be set, by its name with dots: fields of objects, and of what a list of names leads to. */
function leavesOf(schema: JsonSchema, prefix = ''): Leaves {
  const leaves = new Map<string, JsonSchema>();
  const kinds = (schema.anyOf ?? schema.oneOf ?? []).filter(({ properties }) => properties);
  const byDefault = (schema.default ?? {}) as Readonly<Record<string, unknown>>;
  for (const { properties = {} } of [schema, ...kinds])
    for (const [name, field] of Object.entries(properties as Readonly<Record<string, JsonSchema>>)) {
      const path = `${prefix}${name}`;
      const below = leavesOf(field, `${path}.`);
      // A field that all kinds of an object have differs from kind to kind.
      const { const: own, ...rest } = field;
      const others = leaves.get(path)?.enum ?? [];
      const leaf = {
        default: byDefault[name],
        ...rest,
        ...(own !== undefined && { enum: [...others, own] }),
      };
      for (const [each, value] of below.size > 0 ? below : [[path, leaf] as const]) leaves.set(each, value);
    }
  if (typeof schema.additionalProperties === 'object')
    for (const [each, leaf] of leavesOf(schema.additionalProperties, `${prefix}*.`)) leaves.set(each, leaf);
  return leaves;
}

const defaultOf = (leaf: JsonSchema | undefined) =>
  leaf?.default === undefined ? 'not set' : code(leaf.default);
