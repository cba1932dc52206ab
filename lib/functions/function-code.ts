/** A function's code as an asset: bundled during synthesis, or a placeholder where bundling is switched off. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { bundle, importsSharp, projectRoot } from './bundle';
import { addNativeSharp, type Processor } from './native-sharp';

interface FunctionCodeOptions {
  /** Source file that exports `handler`, relative to the project. */
  readonly entry: string;
  readonly architecture: Processor;
  /** As of `NodeFunction`. */
  readonly addFiles?: ((folder: string) => void) | undefined;
}

/**
 * Bundles an entry into `.build/<function>` and hands it over as an asset. The context `aws:cdk:bundling-stacks: []`,
 * which the CDK's own bundlers follow too, skips that and uses a stand-in, for tests of the template.
 */
export function functionCode(scope: Construct, options: FunctionCodeOptions): Code {
  if (!Stack.of(scope).bundlingRequired) return Code.fromAsset(standIn());
  return Code.fromAsset(buildFunction(options));
}

/** Builds a function's folder and returns its absolute path. */
function buildFunction({ entry, architecture, addFiles }: FunctionCodeOptions): string {
  const made = bundle({ entry, outDir: `.build/${basename(dirname(entry))}` });
  if (importsSharp(made)) addNativeSharp(made.folder, architecture);
  addFiles?.(made.folder);
  return made.folder;
}

function standIn(): string {
  const folder = join(projectRoot, '.build', 'stand-in');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'main.mjs'),
    "export const handler = () => { throw new Error('Not bundled'); };\n",
  );
  return folder;
}
