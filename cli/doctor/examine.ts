/** Examines an account before a deployment, or a stack after one. */

import { outputs } from '../../lambda/contract/outputs';
import type { Stage } from '../../lib/stage';
import { explain } from '../explain';
import type { Account } from './account';
import { accountChecks } from './account-checks';
import { deployAgain, type Finding, runChecks } from './check';
import { modelChecks } from './model-checks';
import { serviceChecks } from './service-checks';
import { type Send, stackChecks } from './stack-checks';

/** @param nowMs moment (epoch, milliseconds) */
export async function examineAccount(
  account: Account,
  stage: Stage,
  nowMs: number,
): Promise<readonly Finding[]> {
  const { findings, accountId } = await credentials(account);
  if (accountId === undefined) return findings;
  const plan = { account, accountId, region: account.region ?? '', stage, nowMs };
  return [...findings, ...(await runChecks(accountChecks, plan))];
}

/**
 * @param nowMs moment (epoch, milliseconds)
 * @param key API key for a private image, which is requested with it
 */
export async function examineStack(
  account: Account,
  name: string,
  send: Send,
  nowMs: number,
  key?: string,
): Promise<readonly Finding[]> {
  const { findings, accountId } = await credentials(account);
  if (accountId === undefined) return findings;
  const described = await account.stack(name).catch((error: unknown) => explain(error).message);
  if (described === undefined || typeof described === 'string') {
    const why = described ?? `there is no stack ${name} in ${account.region}`;
    const fix = `${deployAgain({ name })}, or another --region or --profile`;
    return [...findings, { check: 'stack', outcome: 'failure', found: why, fix }];
  }
  const listed = account.resources(name);
  // Each check that needs them says so where they cannot be read; the others still run.
  listed.catch(() => undefined);
  const resources = async (type: string, logicalId?: string) =>
    (await listed).filter(
      (each) => each.type === type && (logicalId === undefined || each.logicalId === logicalId),
    );
  // Without the outputs there is nothing to send requests to, and their own check has said so.
  const isReachable = described.outputs[outputs.apiUrl] && described.outputs[outputs.imageUrl];
  const checks = [...stackChecks, ...modelChecks, ...(isReachable ? serviceChecks : [])];
  const stack = { account, name, facts: described, resources, send, key, nowMs };
  return [...findings, ...(await runChecks(checks, stack))];
}

/** Without credentials and a region nothing else can be read. */
async function credentials(
  account: Account,
): Promise<{ readonly findings: readonly Finding[]; readonly accountId?: string }> {
  if (account.region === undefined) {
    const fix = 'export AWS_REGION=us-east-1, or pass --region';
    return { findings: [{ check: 'region', outcome: 'failure', found: 'no region is named', fix }] };
  }
  const region: Finding = { check: 'region', outcome: 'pass', found: account.region };
  try {
    const accountId = await account.accountId();
    const found = `account ${accountId}`;
    return { findings: [region, { check: 'credentials', outcome: 'pass', found }], accountId };
  } catch (error) {
    const { message: found } = explain(error, { region: account.region });
    const fix = 'aws sts get-caller-identity; if it fails: aws sso login, or pass --profile';
    return { findings: [region, { check: 'credentials', outcome: 'failure', found, fix }] };
  }
}
