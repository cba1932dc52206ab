/** Builds a function as it is deployed, once for a test file. */

import type { FunctionName } from '../../../lambda/contract/functions';
import { type Bundle, bundleFunction, findFunctionEntry } from '../../../lib/functions/bundle';

const built = new Map<FunctionName, Bundle>();

/** A function's bundle, below the project, where it finds sharp in the version for this machine. */
export function buildOnce(name: FunctionName): Bundle {
  const folder = `.build/tests/${process.env['JEST_WORKER_ID']}/${name}`;
  const bundle = built.get(name) ?? bundleFunction(findFunctionEntry(name), folder);
  built.set(name, bundle);
  return bundle;
}
