/** The measured functions, built with the deployment's bundler, the events that they are given, and their answers compared. */

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { PlanName } from '../../lambda/contract/plans';
import { type Bundle, bundle, projectRoot } from '../../lib/functions/bundle';

const built = new Map<string, Bundle>();

/** The bundle of a function or program. @param entry source file relative to the project; built once a run */
export function buildOf(entry: string): Bundle {
  const name = `${basename(dirname(entry))}-${basename(entry, '.ts')}`;
  const made = built.get(entry) ?? bundle({ entry, outDir: `.build/bench/${name}`, external: ['sharp'] });
  built.set(entry, made);
  return made;
}

/** File that an entry was built into. */
export const mainOf = (entry: string): string => join(buildOf(entry).folder, 'main.mjs');

/**
 * One of the events that the project keeps for trying the functions out, as of a caller on a plan. The free plan has
 * no break-down of usage that would be written too.
 */
export function eventOf(name: 'redirect-live' | 'authorizer-live', plan: PlanName = 'free'): unknown {
  const event = JSON.parse(readFileSync(join(projectRoot, 'events', `${name}.json`), 'utf8'));
  const { authorizer } = event.requestContext;
  if (!authorizer) return event;
  return { ...event, requestContext: { ...event.requestContext, authorizer: { ...authorizer, plan } } };
}

/** A response without times. */
export function comparable(result: unknown): unknown {
  const { headers, ...rest } = result as { readonly headers?: Readonly<Record<string, string>> };
  if (headers === undefined) return rest;
  const { 'X-Response-Time': _took, RateLimit, ...others } = headers;
  return { ...rest, headers: { ...others, RateLimit: RateLimit?.replace(/;t=\d+$/, '') } };
}

/** @throws `Error` when a function and its baseline give different responses */
export function assertEqual(name: string, measured: unknown, least: unknown): void {
  if (!isDeepStrictEqual(comparable(measured), comparable(least)))
    throw new Error(`${name} and its baseline give different responses`);
}

/**
 * Output files that are loaded when sources are imported, with all that they import in turn.
 * @param entryPoints sources relative to the project. @throws `Error` for a source without a file of its own
 */
export function filesLoadedWith(
  { metafile: { outputs } }: Bundle,
  entryPoints: readonly string[],
): readonly string[] {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { kind, path: next, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) load(next);
  };
  for (const entryPoint of entryPoints) {
    const file = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint);
    if (file === undefined) throw new Error(`${entryPoint} has no file of its own`);
    load(file);
  }
  return [...loaded];
}

/** Bytes of the files that are loaded with these sources. */
export const bytesLoadedWith = (bundle: Bundle, entryPoints: readonly string[]): number =>
  filesLoadedWith(bundle, entryPoints).reduce(
    (sum, path) => sum + (bundle.metafile.outputs[path]?.bytes ?? 0),
    0,
  );
