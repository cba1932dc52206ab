/** What the doctor finds wrong with the deployed stack. */

import { awsAccount } from '../../cli/doctor/account';
import type { Finding } from '../../cli/doctor/check';
import { examineStack } from '../../cli/doctor/examine';
import { readFacts } from '../../tools/deploy-test/facts';

const { stack, keys } = readFacts();

export const account = awsAccount(process.env['AWS_REGION']);

/** As the doctor asks the service: a redirect is an answer. */
export const askAsDoctor = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { headers, redirect: 'manual' });

/** What does not pass: outcome and the command that fixes it, by its check. */
export async function faults(): Promise<Readonly<Record<string, string>>> {
  return faultsIn(await examineStack(account, stack, askAsDoctor, Date.now(), keys.test.key));
}

/** The same of findings that the doctor has made already. */
export function faultsIn(findings: readonly Finding[]): Readonly<Record<string, string>> {
  expect(findings.length).toBeGreaterThan(8);
  const found = findings.filter(({ outcome }) => outcome !== 'pass');
  return Object.fromEntries(found.map(({ check, outcome, fix }) => [check, `${outcome}: ${fix}`]));
}
