/** The CDK's command line, as an operator uses it, against the emulated account. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { region } from './emulator';
import { type ProgramOptions, runProgram } from './run-program';

export const stackName = 'ImageRedirect-prod';

/** Values of the stack's outputs by name. */
export type StackOutputs = Readonly<Record<string, string>>;

export interface Cloud {
  bootstrap(): Promise<void>;
  /** @param project folder of the release to deploy */
  deploy(project: string): Promise<StackOutputs>;
  destroy(): Promise<void>;
}

/**
 * @param folder where outputs and assemblies go
 * @param settings of the stage, beside its defaults
 */
export function cloud(
  root: string,
  folder: string,
  settings: Readonly<Record<string, unknown>>,
  options: Omit<ProgramOptions, 'cwd'>,
): Cloud {
  const outputsFile = join(folder, 'outputs.json');
  const assembly = join(folder, 'cdk.out');
  const cdk = (cwd: string, args: readonly string[]) => {
    const command = [join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk'), ...args, '--no-notices'];
    return runProgram('node', command, { ...options, cwd });
  };
  const context = Object.entries({ stage: 'prod', ...settings }).flatMap(([name, value]) => [
    '--context',
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  return {
    async bootstrap() {
      // From elsewhere, as the app is not needed for it.
      await cdk(folder, ['bootstrap', `aws://000000000000/${region}`]);
    },
    async deploy(project) {
      const flags = ['--require-approval', 'never', '--progress', 'events', '--outputs-file', outputsFile];
      await cdk(project, ['deploy', stackName, '--output', assembly, ...context, ...flags]);
      return JSON.parse(readFileSync(outputsFile, 'utf8'))[stackName];
    },
    async destroy() {
      await cdk(folder, ['destroy', stackName, '--app', assembly, '--force']);
    },
  };
}
