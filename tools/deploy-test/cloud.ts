/** The CDK's command line, as an operator uses it, against the emulated account. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { region } from './emulator';
import { type ProgramOptions, runProgram } from './run-program';

/** The stack that the test deploys, of the stage `prod`. */
export const stackName = 'ImageRedirect-prod';

/** Values of the stack's outputs by name. */
export type StackOutputs = Readonly<Record<string, string>>;

/** Settings by their names, or identifiers by logical id. */
export type Settings = Readonly<Record<string, unknown>>;

/** Folder of what `cdk synth` has made of a release. */
export type Assembly = string;

/**
 * Each method runs a command to its end. @throws `DeploymentTestFailure` with the end of its output
 * @param folder where outputs and assemblies go
 */
export function cloud(root: string, folder: string, options: Omit<ProgramOptions, 'cwd'>) {
  const outputsFile = join(folder, 'outputs.json');
  const cdk = (args: readonly string[], more: Partial<ProgramOptions> = {}) => {
    const command = [join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk'), ...args, '--no-notices'];
    // From elsewhere than the project, as only its synthesis needs it.
    return runProgram('node', command, { ...options, cwd: folder, ...more });
  };
  let made = 0;
  let last: Promise<unknown> = Promise.resolve();
  const contextOf = (settings: Settings) =>
    Object.entries(settings).flatMap(([name, value]) => [
      '--context',
      `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]);
  const synthesise = async (project: string, settings: Settings, endpoints: Settings) => {
    made++;
    const assembly = join(folder, `assembly-${made}`);
    const context = contextOf({ stage: 'prod', ...settings });
    const inProject = { cwd: project, isBackground: true };
    await cdk(['synth', stackName, '--quiet', '--output', assembly, ...context], inProject);
    if (Object.keys(endpoints).length > 0) leadToProviders(assembly, endpoints);
    return assembly;
  };
  /** Works in the order in which they were asked for; a failure ends neither this process nor the queue. */
  const inTurn =
    <Result>(work: (project: string, ...settings: [Settings, Settings]) => Promise<Result>) =>
    (project: string, ...settings: [Settings, Settings]): Promise<Result> => {
      const done = last.then(() => work(project, ...settings));
      last = done.catch(() => undefined);
      return done;
    };
  return {
    async bootstrap(): Promise<void> {
      await cdk(['bootstrap', `aws://000000000000/${region}`]);
    },
    /**
     * Synthesises the production stage of a release. Takes most of a deployment's time and needs no account, so it runs in
     * the background of other steps, one at a time; a failure is thrown where the assembly is awaited.
     */
    synthesise: inTurn(synthesise),
    async deploy(assembly: Assembly): Promise<StackOutputs> {
      const flags = ['--require-approval', 'never', '--progress', 'events', '--outputs-file', outputsFile];
      await cdk(['deploy', stackName, '--app', assembly, ...flags]);
      return JSON.parse(readFileSync(outputsFile, 'utf8'))[stackName];
    },
    /** Makes the stack of resources that an earlier one has kept: identifiers by logical id. */
    async importKept(assembly: Assembly, kept: Settings): Promise<void> {
      const mapping = join(folder, 'kept-resources.json');
      writeFileSync(mapping, JSON.stringify(kept));
      const flags = ['--resource-mapping', mapping, '--force'];
      await cdk(['import', stackName, '--app', assembly, ...flags]);
    },
    async destroy(assembly: Assembly): Promise<void> {
      await cdk(['destroy', stackName, '--app', assembly, '--force']);
    },
  };
}

/** Has the functions of an assembly ask fake providers: no setting of a stage does, which is for deployments alone. */
function leadToProviders(assembly: Assembly, endpoints: Settings): void {
  const file = join(assembly, `${stackName}.template.json`);
  const template = JSON.parse(readFileSync(file, 'utf8'));
  for (const id of ['ApiFunction', 'RendererFunction'])
    template.Resources[id].Properties.Environment.Variables.PROVIDER_ENDPOINTS = JSON.stringify(endpoints);
  writeFileSync(file, JSON.stringify(template));
}
