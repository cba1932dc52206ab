/** The releases that are deployed: the project as it is, with faults, and with changed code, one more index and a replaced table. */

import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Header by which an answer of the later release differs from the first one's. */
export const releaseHeader = 'X-Release';

/** The index that the later release adds to the table of keys, which holds items by then. */
export const addedIndex = { name: 'byPlan', partitionKey: 'plan' } as const;

const copied = [
  'bin',
  'cli',
  'lambda',
  'lib',
  'tools',
  'cdk.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/**
 * Copies the sources to a new folder, where no test that bundles at the same time is in the way. The packages are
 * linked, and so is what was fetched for the functions.
 */
export function copyRelease(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'packages', '.cache'])
    symlinkSync(join(root, name), join(folder, name));
}

/** What CloudFormation says of the resource that fails in a broken release. */
export const plantedFault = 'PlantedFault';

/**
 * Makes the deployment of a copied release fail at its very end, when everything else is deployed: by an API key whose
 * value is too short for API Gateway.
 */
export function breakRelease(folder: string): void {
  const file = join(folder, 'lib', 'image-redirect-stack.ts');
  const last = 'new Monitoring(';
  const source = readFileSync(file, 'utf8');
  if (source.split(last).length !== 2) throw new Error(`${file} no longer makes its monitoring last.`);
  const broken = source
    .replace(last, `const lastOfAll = ${last}`)
    .replace(
      '\n    const stockVariables = [',
      `\n    new CfnApiKey(this, '${plantedFault}', { value: 'short' }).node.addDependency(lastOfAll);\n\n    const stockVariables = [`,
    )
    .replace(/^import /m, "import { CfnApiKey } from 'aws-cdk-lib/aws-apigateway';\nimport ");
  writeFileSync(file, broken);
}

/** Makes a copied release answer each request for an image with its own fault. */
export function failRequests(folder: string): void {
  const file = join(folder, 'lambda', 'functions', 'api', 'respond.ts');
  const before = readFileSync(file, 'utf8');
  const after = before.replace(
    '): HttpResult {\n',
    "): HttpResult {\n  if (clock.nowMs() > 0) throw new Error('A planted fault');\n",
  );
  if (after === before) throw new Error(`${file} no longer responds so.`);
  writeFileSync(file, after);
}

/** Makes a copied release the next one. */
export function makeNextRelease(folder: string): void {
  const { name, partitionKey } = addedIndex;
  const index = { name, partitionKey: { name: partitionKey, type: 'S' }, keysOnly: true };
  appendFileSync(
    join(folder, 'lambda', 'contract', 'tables.ts'),
    `\n(tables.apiKeys.indexes as unknown as object[]).push(${JSON.stringify(index)});\n`,
  );

  // Another name is another table.
  const tableFile = join(folder, 'lib', 'stores', 'tables.ts');
  const before = readFileSync(tableFile, 'utf8');
  const after = before
    .replace(
      'super(scope, id, {\n      partitionKey',
      'super(scope, id, {\n      ...nextName(scope, contractName),\n      partitionKey',
    )
    .concat(`
function nextName(scope: Construct, name: TableName) {
  return name === 'images' ? { tableName: cdk.Fn.join('-', ['memory', cdk.Fn.select(2, cdk.Fn.split('/', cdk.Aws.STACK_ID))]) } : {};
}
`)
    .replace(/^import /m, "import * as cdk from 'aws-cdk-lib';\nimport ");
  if (!after.includes('...nextName(')) throw new Error(`${tableFile} no longer makes its tables so.`);
  writeFileSync(tableFile, after);

  const api = join(folder, 'lambda', 'functions', 'api');
  renameSync(join(api, 'main.ts'), join(api, 'first-main.ts'));
  writeFileSync(
    join(api, 'main.ts'),
    `import { handler as first } from './first-main';
export * from './first-main';
export const handler: typeof first = async (...args) => {
  const answer = await first(...args);
  return { ...answer, headers: { ...answer.headers, '${releaseHeader}': 'next' } };
};
`,
  );
}
