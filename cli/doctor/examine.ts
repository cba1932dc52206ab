/** Examines an account before a deployment, or a stack after one. */

import { outputs } from '../../lambda/contract/outputs';
import type { Stage } from '../../lib/stage';
import { explain } from '../explain';
import type { Account } from './account';
import { accountChecks } from './check-account';
import { generatorChecks } from './check-generator';
import { type Ask, serviceChecks } from './check-service';
import { stackChecks } from './check-stack';
import { deployAgain } from './deploy-again';
import { type Finding, runChecks } from './finding';

/** @param nowMs moment (epoch, milliseconds) */
export async function examineAccount(
  account: Account,
  stage: Stage,
  nowMs: number,
): Promise<readonly Finding[]> {
  const { findings, accountId } = await credentials(account);
  if (accountId === undefined) return findings;
  return [...findings, ...(await runChecks(accountChecks(account, stage, accountId, nowMs)))];
}

/**
 * @param nowMs moment (epoch, milliseconds)
 * @param key API key for a private image, which is requested with it
 */
export async function examineStack(
  account: Account,
  name: string,
  ask: Ask,
  nowMs: number,
  key?: string,
): Promise<readonly Finding[]> {
  const { findings, accountId } = await credentials(account);
  if (accountId === undefined) return findings;
  const found = await account.stack(name).catch((error: unknown) => explain(error).message);
  if (found === undefined || typeof found === 'string') {
    const why = found ?? `there is no stack ${name} in ${account.region}`;
    const fix = `${deployAgain(name)}, or another --region or --profile`;
    return [...findings, { check: 'stack', outcome: 'failure', found: why, fix }];
  }
  const [apiUrl, imageUrl] = [found.outputs[outputs.apiUrl], found.outputs[outputs.imageUrl]];
  const place = { stack: name, ...(key === undefined ? {} : { key }) };
  // Each check that needs them says so where they cannot be read; the others still run.
  const resources = await account.resources(name).then(
    (listed) => () => listed,
    (error: unknown) => () => {
      throw error;
    },
  );
  const checks = [
    ...stackChecks(account, name, found, resources),
    ...(await generatorChecks(account, { name, facts: found, resources }, ask, nowMs)),
    // Without the outputs there is nothing to ask, and their own check has said so.
    ...(apiUrl && imageUrl ? serviceChecks({ ...place, apiUrl, imageUrl }, ask) : []),
  ];
  return [...findings, ...(await runChecks(checks))];
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
