/** A stage: its settings, with defaults that need no decision, and the only place that reads CDK context. */

import type { Node } from 'constructs';
import type * as z from 'zod';
import { defaultRedirectMaxAgeS, signedCharges } from '../lambda/contract/environment';
import { bedrockRegion, defaultModelId, generatorFacts } from '../lambda/contract/generators';
import { tierThrottles } from '../lambda/contract/plans';
import { dependencyFaults } from './setting-dependencies';
import { schema, settings } from './stage-settings';

export type Stage = z.infer<typeof schema> & { readonly name: StageName };
export const stageNames = ['dev', 'prod'] as const;
export type StageName = (typeof stageNames)[number];

/** Name of a stage's stack, which distinguishes its resources from another's in the account. */
export function stackNameOf({ name, installation }: Pick<Stage, 'name' | 'installation'>): string {
  return ['ImageRedirect', ...(installation === undefined ? [] : [installation]), name].join('-');
}

const everywhere = {
  architecture: 'arm64',
  slotBindings: { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'openverse' },
  providerEndpoints: {},
  providerQuotas: {},
  generator: { kind: 'bedrock-stability', modelId: defaultModelId, region: bedrockRegion },
  testKeysGenerate: false,
  plans: {},
  redirectMaxAgeS: defaultRedirectMaxAgeS,
  signedCharge: signedCharges[0],
  eventBus: 'default',
  throttles: tierThrottles,
  floodLimits: {
    everything: { perSecond: 5_000, burst: 5_000 },
    perOpenMethod: { perSecond: 50, burst: 100 },
  },
  signingKey: { version: 1, trusted: [1] as number[] },
  originLock: { version: 1, trusted: [1] as number[] },
  generationsPerHourAlarm: 500,
  setsApiGatewayLogRole: true,
  edge: false,
} as const;

const defaults: Record<StageName, Omit<Stage, 'name'>> = {
  dev: {
    ...everywhere,
    logRetentionDays: 7,
    keepsData: false,
    canary: false,
    firewallRequestsPer5Min: 'off',
    generationsPerDay: 200,
  },
  prod: {
    ...everywhere,
    logRetentionDays: 90,
    keepsData: true,
    canary: true,
    firewallRequestsPer5Min: 10_000,
    generationsPerDay: 2_000,
  },
};

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
  const fromCommandLine = Object.keys(settings)
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
  const result = schema.safeParse({ ...defaults[name], ...changes });
  const faults = result.success ? dependencyFaults(result.data) : result.error.issues.map(describe);
  if (faults.length > 0)
    throw new Error(`The settings of stage ${name} are not usable:\n  ${faults.join('\n  ')}`);
  return { ...(result.data as Omit<Stage, 'name'>), name };
}

function describe({ path, message, code, ...issue }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys' && path.length === 0)
    return `${(issue as { keys: string[] }).keys.join(', ')}: there is no such setting`;
  return `${path.join('.')}: ${message}`;
}

/** The day's ceiling on generations; absent where there is none, and where images cost nothing. */
export function dailyCeilingOf({ generator, generationsPerDay }: Stage): number | undefined {
  return generationsPerDay === 'off' || generatorFacts(generator).isFree ? undefined : generationsPerDay;
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
