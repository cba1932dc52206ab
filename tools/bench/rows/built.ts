/** Builds the measured functions with the deployment's bundler, into a folder of the benchmark. */

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PlanName } from '../../../lambda/contract/plans';
import { type Bundle, bundle, projectRoot } from '../../../lib/functions/bundle';

const built = new Map<string, Bundle>();

/** @param entry source file relative to the project; built once a run */
export function buildOf(entry: string): Bundle {
  const known = built.get(entry);
  if (known) return known;
  const name = `${basename(dirname(entry))}-${basename(entry, '.ts')}`;
  const made = bundle({ entry, outDir: `.build/bench/${name}`, external: ['sharp'] });
  built.set(entry, made);
  return made;
}

export function mainOf({ folder }: Bundle): string {
  return join(folder, 'main.mjs');
}

/**
 * One of the events that the project keeps for trying the functions out, as of a caller on a plan. The free plan has
 * no break-down of usage that would be written too.
 */
export function eventOf(name: 'redirect-live' | 'authorizer-live', plan: PlanName = 'free'): unknown {
  const event = JSON.parse(readFileSync(join(projectRoot, 'events', `${name}.json`), 'utf8')) as {
    readonly requestContext: { readonly authorizer?: object };
  };
  const { authorizer } = event.requestContext;
  if (!authorizer) return event;
  return {
    ...event,
    requestContext: { ...event.requestContext, authorizer: { ...authorizer, plan } },
  };
}
