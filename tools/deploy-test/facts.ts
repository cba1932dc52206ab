/** What the deployment test's suites know about the deployment, from the file that DEPLOYMENT_FACTS names. */

import { readFileSync } from 'node:fs';
import type { StackOutputs } from './cloud';
import type { Credentials } from './operator';

/** Names the file for the suites. */
export const factsVariable = 'DEPLOYMENT_FACTS';

/** JSON of the file; keys and secrets among it belong to the emulated account alone. */
export interface DeploymentFacts extends Credentials {
  readonly root: string;
  readonly stack: string;
  readonly outputs: StackOutputs;
  /** Loopback port of the emulated account. */
  readonly port: number;
  readonly edgeFile: string;
  /** Python with the packages of `requirements.txt`. */
  readonly python: string;
  /** Whether the stage keeps its data; true unless it was switched. */
  readonly keepsData?: boolean;
  /** Base URLs of the fake providers by provider. */
  readonly fakeProviders: Readonly<Record<string, string>>;
  /** Base URL of the fake generator. */
  readonly modelUrl: string;
  /** What was deleted with its stack: identifiers by logical id, as the task `keptResources` prints them. */
  readonly deleted?: Readonly<Record<string, { TableName?: string; BucketName?: string; Id?: string }>>;
  /** Where one test file leaves what a later one compares with. */
  readonly memoryFile: string;
}

/** @throws when no deployment test is running */
export function readFacts(): DeploymentFacts {
  const file = process.env[factsVariable];
  if (file === undefined) throw new Error('These tests are run by npm run test:deploy.');
  return JSON.parse(readFileSync(file, 'utf8')) as DeploymentFacts;
}
