/** The two releases that are deployed: the project as it is, and then with changed code and one more index. */

import { appendFileSync, cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Header by which an answer of the later release is told from the first one's. */
export const releaseHeader = 'X-Release';

/** The index that the later release adds to the table of keys, which holds items by then. */
export const addedIndex = { name: 'byPlan', partitionKey: 'plan' } as const;

const copied = ['bin', 'lib', 'lambda', 'cdk.json', 'package.json', 'package-lock.json', 'tsconfig.json'];

/**
 * Copies the sources to a new folder, where no test that bundles at the same time is in the way. The packages are
 * linked, and so is what was fetched for the functions.
 */
export function copyRelease(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['node_modules', '.cache']) symlinkSync(join(root, name), join(folder, name));
}

/** Makes a copied release the next one. */
export function makeNextRelease(folder: string): void {
  const { name, partitionKey } = addedIndex;
  const index = { name, partitionKey: { name: partitionKey, type: 'S' }, keysOnly: true };
  appendFileSync(
    join(folder, 'lambda', 'contract', 'tables.ts'),
    `\n(tables.apiKeys.indexes as unknown as object[]).push(${JSON.stringify(index)});\n`,
  );

  const redirect = join(folder, 'lambda', 'functions', 'redirect');
  renameSync(join(redirect, 'main.ts'), join(redirect, 'first-main.ts'));
  writeFileSync(
    join(redirect, 'main.ts'),
    `import { handler as first } from './first-main';
export * from './first-main';
export const handler: typeof first = async (...args) => {
  const answer = await first(...args);
  return { ...answer, headers: { ...answer.headers, '${releaseHeader}': 'next' } };
};
`,
  );
}
