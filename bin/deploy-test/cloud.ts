/** The CDK's command line, as an operator uses it, against the emulated account. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { region } from './emulator';
import { type ProgramOptions, runProgram } from './run-program';

export const stackName = 'ImageRedirect-prod';

/** Values of the stack's outputs by name. */
export type StackOutputs = Readonly<Record<string, string>>;

type Settings = Readonly<Record<string, unknown>>;

export interface Cloud {
  bootstrap(): Promise<void>;
  /**
   * @param project folder of the release to deploy
   * @param changes settings that differ from the stage's
   */
  deploy(project: string, changes?: Settings): Promise<StackOutputs>;
  /** Makes the stack of resources that an earlier one has kept: identifiers by logical id. */
  importKept(project: string, kept: Settings, changes?: Settings): Promise<void>;
  destroy(): Promise<void>;
  /** Synthesises production as it is without any change, canaries included, and returns the template's file. */
  synthesise(project: string): Promise<string>;
}

/**
 * @param folder where outputs and assemblies go
 * @param settings of the stage, beside its defaults
 */
export function cloud(
  root: string,
  folder: string,
  settings: Settings,
  options: Omit<ProgramOptions, 'cwd'>,
): Cloud {
  const outputsFile = join(folder, 'outputs.json');
  const assembly = join(folder, 'cdk.out');
  const cdk = (cwd: string, args: readonly string[]) => {
    const command = [join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk'), ...args, '--no-notices'];
    return runProgram('node', command, { ...options, cwd });
  };
  const contextOf = (changes: Settings) =>
    Object.entries({ stage: 'prod', ...settings, ...changes }).flatMap(([name, value]) => [
      '--context',
      `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]);
  return {
    async bootstrap() {
      // From elsewhere, as the app is not needed for it.
      await cdk(folder, ['bootstrap', `aws://000000000000/${region}`]);
    },
    async deploy(project, changes = {}) {
      const flags = ['--require-approval', 'never', '--progress', 'events', '--outputs-file', outputsFile];
      await cdk(project, ['deploy', stackName, '--output', assembly, ...contextOf(changes), ...flags]);
      return JSON.parse(readFileSync(outputsFile, 'utf8'))[stackName];
    },
    async importKept(project, kept, changes = {}) {
      const mapping = join(folder, 'kept-resources.json');
      writeFileSync(mapping, JSON.stringify(kept));
      const flags = ['--resource-mapping', mapping, '--force'];
      await cdk(project, ['import', stackName, '--output', assembly, ...contextOf(changes), ...flags]);
    },
    async synthesise(project) {
      const output = join(folder, 'cdk.synth');
      await cdk(project, ['synth', '--quiet', '--context', 'stage=prod', '--output', output]);
      return join(output, `${stackName}.template.json`);
    },
    async destroy() {
      await cdk(folder, ['destroy', stackName, '--app', assembly, '--force']);
    },
  };
}
