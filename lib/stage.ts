/** A stage: its name and settings, read from CDK context, and what follows from them for names and retention. */

import { RemovalPolicy } from 'aws-cdk-lib';
import type { Node } from 'constructs';
import type * as z from 'zod';
import {
  defaultSettings,
  type StageName,
  type StageSettings,
  stageNames,
  stageSettings,
} from './stage-settings';

export type Stage = StageSettings & { readonly name: StageName };

/** Name of a stage's stack, which distinguishes its resources from another's in the account. */
export function stackNameOf({ name, installation }: Pick<Stage, 'name' | 'installation'>): string {
  return ['ImageRedirect', ...(installation === undefined ? [] : [installation]), name].join('-');
}

/**
 * What becomes of a resource that holds data when its stack is deleted or replaces it. A stage that keeps its data keeps
 * the resource; yet what a failed first deployment made is deleted with it, so that the next attempt can succeed.
 */
export function retentionOf({ keepsData }: Stage): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/**
 * Reads the stage from CDK context: `-c stage=prod`, and each setting by its name (`-c contact=ops@example.org`), or
 * all of a stage's together as `settings.<stage>` in cdk.json. The command line wins.
 * @throws `Error` that names every faulty setting and what it may be.
 */
export function readStage(node: Pick<Node, 'tryGetContext'>): Stage {
  const name = node.tryGetContext('stage') ?? 'dev';
  if (!isStageName(name))
    throw new Error(`stage must be one of ${stageNames.join(', ')}, not ${String(name)}`);
  const fromFile: unknown = node.tryGetContext('settings')?.[name] ?? {};
  const fromCommandLine = Object.keys(stageSettings.shape)
    .map((setting) => [setting, node.tryGetContext(setting)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([setting, value]) => [setting, readText(value)]);
  return stageOf(name, { ...(fromFile as object), ...Object.fromEntries(fromCommandLine) });
}

/**
 * A stage's defaults with some settings replaced.
 * @throws `Error` that names every faulty setting and what it may be.
 */
export function stageOf(name: StageName, changes: Readonly<Record<string, unknown>> = {}): Stage {
  const result = stageSettings.safeParse({ ...defaultSettings[name], ...changes });
  if (result.success) return { ...result.data, name };
  const faults = result.error.issues.map(describe);
  throw new Error(`The settings of stage ${name} are not usable:\n  ${faults.join('\n  ')}`);
}

function describe({ path, message, code, ...issue }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys' && path.length === 0)
    return `${(issue as { keys: string[] }).keys.join(', ')}: there is no such setting`;
  return `${path.join('.')}: ${message}`;
}

/** The command line gives texts only; what looks like JSON is read as such. */
function readText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^([[{]|\d+$|true$|false$)/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function isStageName(value: unknown): value is StageName {
  return (stageNames as readonly unknown[]).includes(value);
}
