/** What the tests of the rehearsal are told about the deployment, in a file that REHEARSAL_FACTS names. */

import { readFileSync } from 'node:fs';
import type { StackOutputs } from './cloud';
import type { IssuedKey } from './operator';

export const factsVariable = 'REHEARSAL_FACTS';

export interface RehearsalFacts {
  readonly root: string;
  readonly stack: string;
  readonly outputs: StackOutputs;
  /** Loopback port of the emulated account. */
  readonly port: number;
  readonly edgeFile: string;
  /** Base addresses of the twins by provider. */
  readonly twins: Readonly<Record<string, string>>;
  readonly keys: Readonly<Record<'free' | 'pro' | 'business' | 'enterprise' | 'test', IssuedKey>>;
  /** Where one test file leaves what a later one compares with. */
  readonly memoryFile: string;
}

/** @throws when no rehearsal is running */
export function readFacts(): RehearsalFacts {
  const file = process.env[factsVariable];
  if (file === undefined) throw new Error('These tests are run by npm run test:deploy.');
  return JSON.parse(readFileSync(file, 'utf8')) as RehearsalFacts;
}
