/** Writes `docs/settings.md`: the values of each setting of a stage, its default, and what it is for. */

import { type JsonSchema, jsonSchemaOf, leavesOf, markdownCode, valuesOf } from '../../lib/setting-values';
import { type StageName, stageSettings } from '../../lib/stage-settings';
import { markdownTable } from './cost-sheet';

/** Markdown of `docs/settings.md`. */
export function settingsSheet(): string {
  const defaultOf = (leaf?: JsonSchema) => (leaf?.default === undefined ? '–' : markdownCode(leaf.default));
  const leaves = (name: StageName) => leavesOf(jsonSchemaOf(stageSettings(name)));
  const [dev, prod] = [leaves('dev'), leaves('prod')];
  const rows = [...dev].map(([name, leaf]) => {
    const inDev = defaultOf(leaf);
    const inProd = defaultOf(prod.get(name));
    const byDefault = inDev === inProd ? inDev : `dev ${inDev}, prod ${inProd}`;
    return [`\`${name}\``, valuesOf(leaf), byDefault, leaf.description ? `${leaf.description}.` : ''];
  });
  return `# Settings of a stage

Written by \`npm run synth\` from \`lib/stage-settings.ts\`. Pass a setting as \`-c name=value\` (objects as JSON: \`-c site='{"name":"Pictures"}'\`), or keep it in \`cdk.json\` under \`context.settings.<stage>\`; the command line wins. \`npx cdk synth\` refuses a wrong value, and names the nearest setting for one that does not exist. A name with dots is a field of an object; \`*\` stands for a plan or a provider, – for no value.

${markdownTable(['Setting', 'Values', 'Default', 'What it is for'], rows)}

Texts of plans: \`{"free":{"texts":{"title":"Free","price":"$0","features":"basic support"}}, …}\`.
`;
}
