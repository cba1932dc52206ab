/** Reads the settings of a stage as `cdk deploy` reads them: from cdk.json, and over them those of the command line. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStage, type Stage } from '../../lib/stage';
import { wrongUsage } from '../failure';

const file = join(__dirname, '..', '..', 'cdk.json');

/** @param given `NAME=VALUE` each. @throws `Failure` that names every faulty setting */
export function configuredStage(name: string, given: readonly string[]): Stage {
  const fromFile = (JSON.parse(readFileSync(file, 'utf8')) as { readonly context?: object }).context;
  const context: Readonly<Record<string, unknown>> = {
    ...fromFile,
    ...Object.fromEntries(given.map(readSetting)),
    stage: name,
  };
  try {
    return readStage({ tryGetContext: (key: string) => context[key] });
  } catch (error) {
    throw wrongUsage((error as Error).message);
  }
}

function readSetting(text: string): readonly [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw wrongUsage(`--context takes NAME=VALUE, not "${text}".`);
  return [name, value];
}
