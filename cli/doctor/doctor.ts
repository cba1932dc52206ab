/** `image-redirect doctor`: it checks an AWS account before a deployment, or a deployed stack. */

import { type Command, Option } from 'commander';
import cdk from '../../cdk.json';
import { readStage } from '../../lib/stage';
import { stageNames } from '../../lib/stage-settings';
import { type AwsTarget, configureAws } from '../aws';
import { createCommand } from '../command';
import { formatCount, printResult, type Result } from '../output';
import { awsAccount } from './account';
import { type Finding, keyVariable, runChecks } from './checks';

interface DoctorOptions extends AwsTarget {
  readonly stage: string;
  readonly stack?: string;
  readonly json?: true;
}

/** Creates the command `doctor`, which ends with 1 if a check fails. */
export function buildCommand(summary: string): Command {
  return createCommand('doctor', {
    summary,
    details:
      'It checks the account before a deployment, and the stack after one. Each failure and warning names the command that fixes it. It changes nothing and prints no secret. It asks a stack for one image; with a key, for one of each stock slot and for an AI image.',
    examples: [
      'doctor --stage prod --region us-east-1',
      'doctor --stack ImageRedirect-prod --profile ops',
      'doctor --stack ImageRedirect-prod --json | jq \'.findings[] | select(.outcome != "pass")\'',
    ],
    footer: `Environment:
  ${keyVariable}   an API key of the stack, for the checks of other slots and an AI image:
                       a live key asks the model, a test key the sandbox

Exit codes:
  0 no failure, warnings included · 1 a check failed · 2 wrong usage`,
  })
    .addOption(
      new Option('--stage <NAME>', 'the stage to be deployed, with its settings in cdk.json')
        .choices(stageNames)
        .default('dev'),
    )
    .addOption(new Option('--stack <NAME>', 'the deployed stack').conflicts('stage'))
    .option('--region <NAME>', 'AWS region (default: AWS_REGION or AWS_DEFAULT_REGION)')
    .option('--profile <NAME>', 'AWS profile (default: as the AWS CLI finds it)')
    .option('--json', 'print one line of JSON on stdout, for scripts')
    .action(async ({ stage, stack, json, ...awsTarget }: DoctorOptions) => {
      const subject = stack
        ? { stack, key: process.env[keyVariable] || undefined }
        : readStage({ ...cdk.context, stage });
      const findings = await runChecks(awsAccount, configureAws(awsTarget), subject);
      const title = stack ? `stack ${stack}` : `the account for stage ${stage}`;
      printResult(reportFindings(title, findings), json === true);
    });
}

/** Writes the report on an account or a stack: each finding with its fix below it. */
export function reportFindings(subject: string, findings: readonly Finding[]) {
  const count = (outcome: Finding['outcome']) => findings.filter((item) => item.outcome === outcome).length;
  const counts = { passes: count('pass'), warnings: count('warning'), failures: count('failure') };
  const lines = findings.map(({ check, outcome, found, fix }) => {
    const word = outcome === 'pass' ? outcome : outcome.toUpperCase();
    // Lines are not wrapped, so that commands can be copied.
    return `${word.padEnd(9)}${check}: ${found}${fix === undefined ? '' : `\n         ${fix}`}`;
  });
  const sum = `${counts.passes} passed, ${formatCount(counts.warnings, 'warning')}, ${formatCount(counts.failures, 'failure')}`;
  return {
    json: { subject, at: new Date().toISOString(), ...counts, findings },
    text: [`Checks of ${subject}`, '', ...lines, '', sum].join('\n'),
    hasFailed: counts.failures > 0,
  } satisfies Result;
}
