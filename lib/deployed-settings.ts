/** Reads the settings and the version that a deployed stack has, for the warning of what a deployment would take back. */

import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { joinOutput, outputs } from '../lambda/contract/outputs';
import { readText } from './stage';

/** Longest wait, in milliseconds: a warning is not worth more. */
const timeoutMs = 5_000;

/**
 * The settings that differ from the defaults of the stage, and the service's version (none of older ones); `undefined` where there is no such stack, and where it cannot be
 * read.
 * @param account 12 digits; a stack of another account, which other credentials would find, is ignored
 */
export async function deployedSettings(
  StackName: string,
  region: string | undefined,
  account: string | undefined,
): Promise<{ readonly settings: Readonly<Record<string, unknown>>; readonly version?: string } | undefined> {
  if (region === undefined || account === undefined) return undefined;
  const client = new CloudFormationClient({ region, maxAttempts: 1 });
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }), {
      abortSignal: AbortSignal.timeout(timeoutMs),
    });
    if (stack?.StackId?.split(':')[4] !== account) return undefined;
    const pairs = stack.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
    const values: Readonly<Record<string, string>> = Object.fromEntries(pairs ?? []);
    const { [outputs.version]: version } = values;
    const text = joinOutput(outputs.settings, values);
    if (text === undefined) return undefined;
    // Parameters of a release are texts.
    const settings = Object.entries(JSON.parse(text)).map(([name, value]) => [name, readText(value)]);
    return { settings: Object.fromEntries(settings), ...(version !== undefined && { version }) };
  } catch {
    return undefined;
  }
}
