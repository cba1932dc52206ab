/**
 * Writes what the client package knows of the service, from the service's own schemas: `npx tsx tools/client-types.ts`. The package
 * stands alone, so it holds a copy; a test fails where that is out of date.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { batchBounds } from '../lambda/contract/batch';
import { signedParameters } from '../lambda/contract/parameters';
import { avoidables, choiceBounds, sidePx, uptoWidthsPx } from '../lambda/contract/request-bounds';
import { attributionSchema, recordSchema } from '../lambda/images/record';
import { filledImageSchema } from '../lambda/pages/fill-page';
import { problemSchema } from '../lambda/problems/problem-document';
import { type JsonSchema, jsonSchemasOf, schemaOf } from '../lambda/requests/json-schema';

const root = join(__dirname, '..');
/** The generated file. */
export const clientTypesPath = join(root, 'packages/client/src/service.ts');

const constants = `
/** Every parameter that decides which image a URL shows, sorted by name in byte order: those that a signature covers. */
export const signedParameters: readonly string[] =
  '${signedParameters.toSorted().join(' ')}'.split(' ');

/** Least pixels of either side of an image. */
export const sidePxMin = ${sidePx.min};
/** Most pixels of either side of an image. */
export const sidePxMax = ${sidePx.max};

/** Most images of one call of \`fetchBatch\`. */
export const batchImagesMax = ${batchBounds.imagesMax};
/** Most picks that one call excludes. */
export const batchExcludedMax = ${batchBounds.excludedMax};

/** The widths that a page asks for, and the only ones that a signature for several sizes (\`upto\`) allows, in pixels. */
export const pageWidths = ${JSON.stringify(uptoWidthsPx)};
`;

const docstrings: Readonly<Record<string, string>> = {
  Attribution: 'Whose image it is, and how to say so.',
  ImageRecord: 'What the service says about an image beside its URL. What a source does not know is `null`.',
  Problem: 'A problem document (RFC 9457).',
  FilledImage: 'What was wrong with an image of a page that was filled, and what became of it.',
};

/** The text of the file. @throws where a schema says what TypeScript has no type for here */
export function clientTypes(): string {
  const schemas = jsonSchemasOf({
    Attribution: attributionSchema,
    ImageRecord: recordSchema,
    Problem: problemSchema,
    FilledImage: filledImageSchema,
  });
  const types = Object.entries(schemas).map(
    ([name, schema]) => `/** ${docstrings[name]} */\nexport interface ${name} ${typeOf(schema)}\n`,
  );
  const choices = signedParameters.flatMap((name) => {
    const values = name === 'avoid' ? avoidables : schemaOf(name)['enum'];
    return values ? [`readonly ${name}: ${typeOf({ enum: values })};`] : [];
  });
  const numbers = Array.from({ length: choiceBounds.max }, (_, i) => i + choiceBounds.min);
  choices.push(`readonly variation: ${numbers.join(' | ')};`);
  const text = [
    '/** What the package knows of the service. Generated from its schemas by `npx tsx tools/client-types.ts`: edit those instead. */\n',
    ...types,
    `/** The values of the parameters that are chosen from a list. */\nexport interface Choices { ${choices.join('\n')} }`,
    constants,
  ].join('\n');
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', `--stdin-file-path=${clientTypesPath}`];
  return execFileSync(process.execPath, args, { cwd: root, input: text, encoding: 'utf8' });
}

/** The type of what a JSON Schema accepts. */
function typeOf(schema: JsonSchema): string {
  const {
    $ref,
    type,
    properties,
    required = [],
    items,
  } = schema as {
    readonly $ref?: string;
    readonly type?: string | readonly string[];
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
    readonly items?: JsonSchema;
  };
  const values = schema['enum'] as readonly unknown[] | undefined;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  // The service may add codes: who knows the others reads those too.
  if (values && values.length > 20) return 'string';
  if (values) return values.map((value) => (value === null ? 'null' : `'${value}'`)).join(' | ');
  if (typeof type === 'object') return type.map((each) => typeOf({ ...schema, type: each })).join(' | ');
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly ${typeOf(items ?? {})}[]`;
    case 'object': {
      const fields = Object.entries(properties ?? {}).map(([name, field]) => {
        const about = field['description'] === undefined ? '' : `/** ${field['description']} */\n`;
        return `${about}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`;
      });
      return `{\n${fields.join('\n')}\n}`;
    }
    default:
      throw new Error(`No type for ${JSON.stringify(schema)}`);
  }
}

if (require.main === module) writeFileSync(clientTypesPath, clientTypes());
