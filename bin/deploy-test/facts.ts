/** What the tests of the deployment test are told about the deployment, in a file that REHEARSAL_FACTS names. */

import { readFileSync } from 'node:fs';
import type { StackOutputs } from './cloud';
import type { IssuedKey } from './operator';

export const factsVariable = 'REHEARSAL_FACTS';

export interface DeploymentFacts {
  readonly root: string;
  readonly stack: string;
  readonly outputs: StackOutputs;
  /** Loopback port of the emulated account. */
  readonly port: number;
  readonly edgeFile: string;
  /** Base URLs of the fake providers by provider. */
  readonly fakeProviders: Readonly<Record<string, string>>;
  readonly keys: Readonly<Record<'free' | 'pro' | 'business' | 'enterprise' | 'test', IssuedKey>>;
  /** Where one test file leaves what a later one compares with. */
  readonly memoryFile: string;
}

/** @throws when no deployment test is running */
export function readFacts(): DeploymentFacts {
  const file = process.env[factsVariable];
  if (file === undefined) throw new Error('These tests are run by npm run test:deploy.');
  return JSON.parse(readFileSync(file, 'utf8')) as DeploymentFacts;
}
