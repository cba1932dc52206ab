/** Sends requests for an image while the stack is updated. */

import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask } from '../e2e/ask';
import { readUntil } from '../e2e/read-until';

const { outputs: deployed, keys, stack } = readFacts();
const cloudFormation = new CloudFormationClient();
const cloudWatch = new CloudWatchClient();
const wanted = { path: '/api/image/240x160-forest', headers: { 'X-API-Key': keys.pro.key } };

/** The status of one answer. */
export const statusNow = async (): Promise<number> =>
  (await ask(deployed[outputs.apiUrl] ?? '', wanted)).status;

async function stackStatus(): Promise<string> {
  const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stack }));
  return Stacks[0]?.StackStatus ?? '';
}

const isUpdating = (status: string) => status.endsWith('_IN_PROGRESS');

/** Waits for the update and sends requests until it has ended. @returns the statuses of their answers, and of the stack */
export async function trafficDuringUpdate(): Promise<{ statuses: readonly number[]; stackStatus: string }> {
  await readUntil(stackStatus, isUpdating, { withinMs: 120_000, pauseMs: 200 });
  const statuses: number[] = [];
  while (isUpdating(await stackStatus())) statuses.push(...(await Promise.all([1, 2, 3, 4].map(statusNow))));
  return { statuses, stackStatus: await stackStatus() };
}

/** Names of the alarms of the image function's canaries that are on. */
export async function firingCanaries(): Promise<readonly string[]> {
  const AlarmNamePrefix = `${stack}-RedirectFunction-canary`;
  const { MetricAlarms = [] } = await cloudWatch.send(
    new DescribeAlarmsCommand({ AlarmNamePrefix, StateValue: 'ALARM' }),
  );
  return MetricAlarms.map(({ AlarmName = '' }) => AlarmName);
}
