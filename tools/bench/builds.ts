/** The measured functions, built with the deployment's bundler, the events that they are given, and their answers compared. */

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { PlanName } from '../../lambda/contract/plans';
import { type Bundle, bundle, projectRoot } from '../../lib/functions/bundle';

const built = new Map<string, Bundle>();

/** The bundle of a function or program. @param entry source file relative to the project; built once a run */
function buildOf(entry: string): Bundle {
  const name = `${basename(dirname(entry))}-${basename(entry, '.ts')}`;
  const made = built.get(entry) ?? bundle({ entry, outDir: `.build/bench/${name}` });
  built.set(entry, made);
  return made;
}

/** File that an entry was built into. */
export const mainOf = (entry: string): string => join(buildOf(entry).folder, 'main.mjs');

/**
 * One of the events that the project keeps for trying the functions out, as of a caller on a plan. The free plan has
 * no break-down of usage that would be written too.
 */
export function eventOf(name: 'api-live' | 'authorizer-live', plan: PlanName = 'free'): unknown {
  const event = JSON.parse(readFileSync(join(projectRoot, 'events', `${name}.json`), 'utf8'));
  const { authorizer } = event.requestContext;
  if (!authorizer) return event;
  return { ...event, requestContext: { ...event.requestContext, authorizer: { ...authorizer, plan } } };
}

/** @throws `Error` when a function and the program that it is compared with lead a caller to different places */
export function assertAlike(name: string, measured: unknown, least: unknown): void {
  const placeIn = (result: unknown) => {
    const { headers, context } = result as {
      readonly headers?: { readonly Location?: string };
      readonly context?: object;
    };
    return headers ? headers.Location : context;
  };
  if (!isDeepStrictEqual(placeIn(measured), placeIn(least)))
    throw new Error(
      `${name} and its baseline give different responses: ${JSON.stringify([measured, least])}`,
    );
}
