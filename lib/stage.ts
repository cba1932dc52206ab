/** Reads the stage in the CDK's context, with its name and its settings. */

import { RemovalPolicy } from 'aws-cdk-lib';
import { type Tier, tierPerSecond } from '../lambda/contract/plans';
import { describeSettingFaults } from './setting-values';
import { makeStageSchema, type StageName, type StageSettings, stageNames } from './stage-settings';

export type Stage = StageSettings & {
  readonly name: StageName;
  /** True if the template is for SAM on this machine: then it declares the variables that SAM replaces. */
  readonly sam?: boolean;
};

/** Names the stack of a stage. Another installation in the same account has another name. */
export function makeStackName({ name, installation }: Pick<Stage, 'name' | 'installation'>): string {
  return ['ImageRedirect', ...(installation === undefined ? [] : [installation]), name].join('-');
}

/** Returns the policy of a resource with data. `keepsData` keeps it, unless the first deployment of it fails. */
export function getRemovalPolicy({ keepsData }: Stage): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/** Returns the requests a second that API Gateway admits for all callers of a tier together. */
export function computePerSecond(tier: Tier, plans: Stage['plans']): number {
  const plan = tier === 'anonymous' || tier === 'test' ? undefined : plans[tier];
  return plan?.perSecond ?? tierPerSecond[tier];
}

/**
 * Reads the stage from CDK context: its name from `-c stage=prod`, its settings from `settings.<stage>` in
 * cdk.json and from the command line (`-c edge=true`), which wins.
 * @throws `Error` that names every faulty setting
 */
export function readStage(context: Readonly<Record<string, unknown>>): Stage {
  const givenName = context['stage'] ?? 'dev';
  const name = stageNames.find((stageName) => stageName === givenName);
  if (!name) throw new Error(`stage must be one of ${stageNames.join(', ')}, not ${String(givenName)}`);
  const { dev, prod, ...others } = (context['settings'] ?? {}) as Readonly<Record<string, object>>;
  const [unknownStage] = Object.keys(others);
  if (unknownStage !== undefined)
    throw new Error(`cdk.json has settings for ${unknownStage}; the stages are ${stageNames.join(', ')}`);
  const fromCommandLine = Object.entries(context)
    .filter(([setting, value]) => isSetting(setting) && value !== undefined)
    .map(([setting, value]) => [setting, parseValue(value)]);
  const stage = makeStage(name, { ...{ dev, prod }[name], ...Object.fromEntries(fromCommandLine) });
  return parseValue(context['sam']) === true ? { ...stage, sam: true } : stage;
}

/** Returns true for a setting, false for the context's other keys, such as the CDK's `@aws-cdk/core:…`. */
const isSetting = (key: string) =>
  !/[:@]|^(stage|sam|settings|acknowledged-issue-numbers|cdk-migrate)$/.test(key);

/** Creates a stage from defaults and some settings, or throws an error that names every wrong setting. */
export function makeStage(name: StageName, changes: Readonly<Record<string, unknown>> = {}): Stage {
  const schema = makeStageSchema(name);
  const result = schema.safeParse(changes, { reportInput: true });
  if (result.success) return { ...result.data, name };
  const faults = describeSettingFaults(schema, result.error);
  throw new Error(`The settings of stage ${name} are not usable:\n  ${faults.join('\n  ')}`);
}

/** Parses a value of the command line, which may be JSON. Other texts and values are returned unchanged. */
function parseValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^([[{]|\d+$|true$|false$)/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
