/** A function's code as an asset: bundled during synthesis, or a placeholder where bundling is switched off. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
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
 * Bundles an entry into a folder of its own and hands it over as an asset, which the CDK copies at once: two syntheses of
 * one checkout do not meet. The context `aws:cdk:bundling-stacks: []`, which the CDK's own bundlers follow too, skips that
 * and uses a stand-in, for tests of the template.
 */
export function functionCode(scope: Construct, { entry, architecture, addFiles }: FunctionCodeOptions): Code {
  if (!Stack.of(scope).bundlingRequired) return Code.fromAsset(standIn());
  const folder = ownFolder();
  const made = bundle({ entry, outDir: relative(projectRoot, folder) });
  if (importsSharp(made)) addNativeSharp(made.folder, architecture);
  addFiles?.(made.folder);
  return Code.fromAsset(folder);
}

const ownFolders: string[] = [];

/** A new folder below the project, which goes with the process. */
function ownFolder(): string {
  const build = join(projectRoot, '.build');
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(join(build, 'function-'));
  if (ownFolders.push(folder) === 1)
    process.once('exit', () => {
      for (const each of ownFolders) rmSync(each, { recursive: true, force: true });
    });
  return folder;
}

function standIn(): string {
  const folder = join(projectRoot, '.build', 'stand-in');
  mkdirSync(folder, { recursive: true });
  const code = "export const handler = () => { throw new Error('Not bundled'); };\n";
  writeFileSync(join(folder, 'main.mjs'), code);
  return folder;
}
