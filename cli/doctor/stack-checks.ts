/** Checks of a stack after its deployment: what AWS says about it. Requests to the service are in service-checks.ts. */

import { variables } from '../../lambda/contract/environment';
import { outputs } from '../../lambda/contract/outputs';
import { needsKey, type StockProviderName, stockSlots } from '../../lambda/contract/providers';
import { type TableName, tables } from '../../lambda/contract/tables';
import { countOf } from '../output';
import type { StackFacts } from '../service';
import type { Account, StackResource } from './account';
import { type Check, deployAgain, failure, missingKeys, pass, putKeys, type Verdict, warning } from './check';

/** What is examined after a deployment: a stack, its account and its service. */
export interface DeployedStack {
  readonly account: Account;
  readonly name: string;
  readonly facts: StackFacts;
  /** Its resources of a type, and of a logical id where one is named. @throws what listing them threw */
  readonly resources: (type: string, logicalId?: string) => Promise<readonly StackResource[]>;
  readonly send: Send;
  /** API key for a private image, sent to the service alone and never printed. */
  readonly key: string | undefined;
  /** Moment (epoch, milliseconds). */
  readonly nowMs: number;
}

/** Sends one request and follows no redirect. @throws when there is no answer in time */
export type Send = (url: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;

/** Outputs that every deployment of the service has. */
const expectedOutputs = [
  outputs.apiUrl,
  outputs.imageUrl,
  outputs.imageHost,
  outputs.apiKeysTable,
  outputs.quotaCountersTable,
  outputs.cacheTable,
  outputs.stockProviders,
] as const;

/** What AWS says about a deployed stack, in the order in which it is reported. */
export const stackChecks: readonly Check<DeployedStack>[] = [
  { name: 'stack', examine: status },
  { name: 'outputs', examine: presentOutputs },
  { name: 'alarms', examine: alarms },
  { name: 'tables', examine: durableTables },
  { name: 'secrets', examine: secrets },
  { name: 'provider keys', examine: providerKeys },
];

async function status(stack: DeployedStack): Promise<Verdict> {
  const {
    name,
    facts: { status: state },
  } = stack;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(state)) return pass(state);
  if (state.endsWith('_IN_PROGRESS')) return warning(state, 'Wait until it has ended, and run doctor again.');
  if (state === 'UPDATE_ROLLBACK_COMPLETE')
    return warning('the last deployment was rolled back', deployAgain(stack));
  if (state === 'UPDATE_ROLLBACK_FAILED')
    return failure(state, `aws cloudformation continue-update-rollback --stack-name ${name}`);
  return failure(
    state,
    `aws cloudformation describe-stack-events --stack-name ${name} --query "StackEvents[?contains(ResourceStatus,'FAILED')].[LogicalResourceId,ResourceStatusReason]"; see docs/recovery.md`,
  );
}

async function presentOutputs(stack: DeployedStack): Promise<Verdict> {
  const missing = expectedOutputs.filter((output) => !stack.facts.outputs[output]);
  return missing.length === 0
    ? pass(`${expectedOutputs.length} present`)
    : failure(`${missing.join(', ')} missing`, deployAgain(stack));
}

async function alarms(stack: DeployedStack): Promise<Verdict | readonly Verdict[]> {
  const { account, resources } = stack;
  // Those of the canaries notify CodeDeploy, which rolls back.
  const wanted = (await resources('AWS::CloudWatch::Alarm'))
    .filter(({ logicalId }) => !logicalId.includes('Canary'))
    .map(({ physicalId }) => physicalId);
  if (wanted.length === 0) return failure('the stack has no alarms', deployAgain(stack));
  const deployed = await account.alarms(wanted);
  const missing = wanted.filter((each) => !deployed.some((alarm) => alarm.name === each));
  if (missing.length > 0) return failure(`${missing.join(', ')} deleted`, deployAgain(stack));
  const off = deployed.filter(({ isEnabled }) => !isEnabled).map((alarm) => alarm.name);
  if (off.length > 0)
    return failure(
      `the actions of ${off.join(', ')} are off`,
      `aws cloudwatch enable-alarm-actions --alarm-names ${off.join(' ')}`,
    );
  const silent = deployed.filter(({ actions }) => actions.length === 0);
  if (silent.length > 0)
    return warning(
      `${silent.length} of ${deployed.length} alarms notify nothing`,
      `${deployAgain(stack)} -c alarmEmail=EMAIL`,
    );
  const topics = [...new Set(deployed.flatMap(({ actions }) => actions))];
  return Promise.all(topics.map((arn) => topic(stack, arn, deployed.length)));
}

async function topic(stack: DeployedStack, arn: string, alarmCount: number): Promise<Verdict> {
  const { policy, confirmed, pending } = await stack.account.topic(arn);
  if (!letsAlarmsPublish(policy))
    return failure(`the policy of ${arn} does not let CloudWatch publish`, deployAgain(stack));
  if (confirmed === 0)
    return pending > 0
      ? warning(
          `${pending} subscription of the alarms is not confirmed`,
          'Follow the link in the e-mail "AWS Notification - Subscription Confirmation".',
        )
      : failure(
          `${arn} has no subscription`,
          `aws sns subscribe --topic-arn ${arn} --protocol email --notification-endpoint EMAIL`,
        );
  return pass(`${alarmCount} alarms notify ${countOf(confirmed, 'confirmed subscription')}`);
}

interface Statement {
  readonly Effect?: string;
  readonly Principal?: string | Readonly<Record<string, string | readonly string[]>>;
  readonly Action?: string | readonly string[];
}

function letsAlarmsPublish(policy: string): boolean {
  const { Statement: statements = [] } = JSON.parse(policy) as { readonly Statement?: readonly Statement[] };
  return [statements].flat().some(({ Effect, Principal, Action }) => {
    const services = typeof Principal === 'object' ? [Principal['Service'] ?? []].flat() : [];
    const actions = [Action ?? []].flat().map((action) => action.toLowerCase());
    return (
      Effect === 'Allow' && services.includes('cloudwatch.amazonaws.com') && actions.includes('sns:publish')
    );
  });
}

/** Of the tables that serve and must not be lost; one that was restored or imported has none of it by itself. */
async function durableTables(stack: DeployedStack): Promise<Verdict | readonly Verdict[]> {
  const { account, facts } = stack;
  const serving = (Object.keys(tables) as TableName[]).flatMap((table) => {
    const name = facts.outputs[outputs[`${table}Table`]];
    return tables[table].isDurable && name ? [{ table, name }] : [];
  });
  const verdicts = await Promise.all(
    serving.map(async ({ table, name }) => {
      const { isRecoverable, expires } = await account.tableSafety(name);
      if (!isRecoverable)
        return failure(
          `${table} has no point-in-time recovery`,
          `aws dynamodb update-continuous-backups --table-name ${name} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
        );
      if (!expires)
        return failure(
          `the items of ${table} do not expire`,
          `aws dynamodb update-time-to-live --table-name ${name} --time-to-live-specification Enabled=true,AttributeName=ttl`,
        );
      return pass(table);
    }),
  );
  const faults = verdicts.filter(({ outcome }) => outcome !== 'pass');
  return faults.length > 0 ? faults : pass(`${verdicts.length} recoverable`);
}

async function secrets(stack: DeployedStack): Promise<Verdict | readonly Verdict[]> {
  const { account, resources } = stack;
  const listed = await resources('AWS::SecretsManager::Secret');
  if (listed.length === 0) return failure('the stack has no secrets', deployAgain(stack));
  const verdicts = await Promise.all(
    listed.map(async ({ logicalId, physicalId }) => {
      const { isBeingDeleted, value } = await account.secret(physicalId);
      if (isBeingDeleted)
        return failure(
          `${logicalId} is being deleted`,
          `aws secretsmanager restore-secret --secret-id ${physicalId}`,
        );
      if (!value)
        return failure(
          `${logicalId} has no value`,
          `aws secretsmanager list-secret-version-ids --secret-id ${physicalId}`,
        );
      if (logicalId.startsWith('SigningSecret') && !value.includes('PRIVATE KEY-----'))
        return failure(`${logicalId} holds no private key`, 'Raise keyVersion: see docs/operate.md.');
      return pass(logicalId);
    }),
  );
  const faults = verdicts.filter(({ outcome }) => outcome !== 'pass');
  return faults.length > 0 ? faults : pass(verdicts.map(({ found }) => found).join(', '));
}

async function providerKeys(stack: DeployedStack): Promise<Verdict> {
  const { account, facts } = stack;
  const configured = JSON.parse(facts.outputs[outputs.stockProviders] ?? '{}') as Record<string, string>;
  const bindings = JSON.parse(configured[variables.slotBindings] ?? '{}') as Record<
    string,
    StockProviderName
  >;
  const keyed = [...new Set(stockSlots.map((slot) => bindings[slot]))].filter(
    (provider): provider is StockProviderName => provider !== undefined && needsKey(provider),
  );
  if (keyed.length === 0) return pass('no stock provider needs a key');
  const secretId = configured[variables.providerSecretId];
  if (secretId === undefined) return failure('there is no secret for provider keys', deployAgain(stack));
  const missing = missingKeys((await account.secret(secretId)).value, keyed);
  return missing.length === 0
    ? pass(`${keyed.join(', ')} set`)
    : failure(`${missing.join(', ')} not set`, putKeys(secretId, missing));
}
