/** The command `doctor`: checks an AWS account before a deployment, or a deployed stack. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { clientTimeoutMs } from '../../lambda/contract/timeouts';
import { readStage, type Stage } from '../../lib/stage';
import { stageNames } from '../../lib/stage-settings';
import { createCommand } from '../command';
import { explain } from '../explain';
import { exitCodes, wrongUsage } from '../failure';
import { countOf, print, type Result, table } from '../output';
import type { Account } from './account';
import { checksAfter, keyVariable, type Send } from './after';
import { checksBefore } from './before';
import { type Finding, failure, pass, runChecks } from './check';

const more = `Environment:
  ${keyVariable}   an API key of the stack, for the check of an AI image;
                       a test key makes it free of charge

Exit codes:
  0 no failure, warnings included · 1 a check failed · 2 wrong usage`;

interface DoctorOptions {
  readonly stage: string;
  readonly stack?: string;
  readonly context?: readonly string[];
  readonly region?: string;
  readonly profile?: string;
  readonly json?: boolean;
}

/** The command `doctor`; it ends with 1 where a check fails. */
export function doctor(): Command {
  return createCommand('doctor', {
    summary: 'Check an AWS account before a deployment, or a stack after one.',
    details:
      'Each failure and warning names the command that fixes it. Nothing is changed and no secret is printed; a stack is sent one request for each stock slot and, with a key, one for an AI image.',
    examples: [
      'doctor --stage prod --region us-east-1',
      'doctor --stack ImageRedirect-prod --profile ops',
      'doctor --stack ImageRedirect-prod --json | jq \'.findings[] | select(.outcome != "pass")\'',
    ],
    more,
  })
    .optionsGroup('Before a deployment:')
    .addOption(
      new Option('--stage <NAME>', 'the stage to be deployed, with its settings in cdk.json')
        .choices(stageNames)
        .default('dev'),
    )
    .option('-c, --context <NAME=VALUE...>', 'a setting of the stage, as cdk deploy takes it')
    .optionsGroup('After a deployment:')
    .addOption(new Option('--stack <NAME>', 'the deployed stack').conflicts(['stage', 'context']))
    .optionsGroup('Options for the account:')
    .option('--region <NAME>', 'AWS region (default: AWS_REGION or AWS_DEFAULT_REGION)')
    .option('--profile <NAME>', 'AWS profile (default: as the AWS CLI finds it)')
    .optionsGroup('Options for the output:')
    .option('--json', 'print one line of JSON on stdout, for scripts')
    .action(examine);
}

async function examine({ stage: name, stack, context, region, profile, json }: DoctorOptions): Promise<void> {
  const stage = stack === undefined ? configuredStage(name, context ?? []) : undefined;
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  // The SDK's clients are loaded by what needs them only, so that help and refusals are quick.
  const { awsAccount } = await import('./account');
  const { env } = process;
  const account = awsAccount((region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION']) || undefined);
  const findings = await examined(
    account,
    stage ?? { stack: stack ?? '', key: env[keyVariable] || undefined },
  );
  const subject = stage === undefined ? `stack ${stack}` : `the account for stage ${stage.name}`;
  print(report(subject, findings, Date.now()), json === true);
}

/**
 * @param subject the stage that is to be deployed, or a deployed stack with a key for an AI image
 * @param send sends requests to the deployed service
 */
export async function examined(
  account: Account,
  subject: Stage | { readonly stack: string; readonly key: string | undefined },
  nowMs = Date.now(),
  send: Send = request,
): Promise<readonly Finding[]> {
  const { region } = account;
  if (region === undefined)
    return [
      { check: 'region', ...failure('no region is named', 'export AWS_REGION=us-east-1, or pass --region') },
    ];
  const unread = (fix: string) => (error: unknown) => failure(explain(error, { region }).message, fix);
  const accountId = await account
    .accountId()
    .catch(unread('aws sts get-caller-identity; if it fails: aws sso login'));
  if (typeof accountId !== 'string') return [{ check: 'credentials', ...accountId }];
  const known: Finding = { check: 'credentials', ...pass(`account ${accountId} in ${region}`) };
  if (!('stack' in subject))
    return [known, ...(await runChecks(checksBefore(account, accountId, subject, nowMs)))];
  const { stack: name, key } = subject;
  const elsewhere = `npx cdk deploy ${name}, or another --region or --profile`;
  const facts = await account.stack(name).catch(unread(elsewhere));
  if (!facts || 'outcome' in facts)
    return [
      known,
      { check: 'stack', ...(facts ?? failure(`There is no stack ${name} in ${region}.`, elsewhere)) },
    ];
  return [known, ...(await runChecks(checksAfter({ ...facts, name, account, send, key })))];
}

function request(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(clientTimeoutMs) });
}

const cdkJson = join(__dirname, '..', '..', 'cdk.json');

/**
 * The settings of a stage as `cdk deploy` reads them: from cdk.json, and over them those of the command line.
 * @param given `NAME=VALUE` each. @throws `Failure` that names every faulty setting
 */
export function configuredStage(name: string, given: readonly string[]): Stage {
  const { context } = JSON.parse(readFileSync(cdkJson, 'utf8')) as { readonly context?: object };
  const settings = given.map((text) => {
    const [, setting, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (setting === undefined) throw wrongUsage(`--context takes NAME=VALUE, not "${text}".`);
    return [setting, value];
  });
  try {
    return readStage({ ...context, ...Object.fromEntries(settings), stage: name });
  } catch (error) {
    throw wrongUsage((error as Error).message);
  }
}

const outcomeWords = { pass: 'pass', warning: 'WARNING', failure: 'FAILURE' } as const;

/**
 * What is printed: a table for people with what fixes each finding below it, or JSON.
 * @param subject what was examined, for people
 * @param nowMs moment (epoch, milliseconds)
 */
export function report(subject: string, findings: readonly Finding[], nowMs: number): Result {
  const count = (outcome: Finding['outcome']) => findings.filter((each) => each.outcome === outcome).length;
  const counts = { passes: count('pass'), warnings: count('warning'), failures: count('failure') };
  const rows = findings.map(({ check, outcome, found }) => [outcomeWords[outcome], check, found]);
  // Commands are not wrapped, so that they can be copied.
  const fixes = findings.flatMap(({ check, fix }) => (fix === undefined ? [] : [`${check}:\n  ${fix}`]));
  const sum = `${counts.passes} passed, ${countOf(counts.warnings, 'warning')}, ${countOf(counts.failures, 'failure')}`;
  return {
    json: { subject, at: new Date(nowMs).toISOString(), ...counts, findings },
    text: (columns) =>
      [
        `Checks of ${subject}\n`,
        table(['Result', 'Check', 'Found'], rows, columns),
        ...(fixes.length > 0 ? [`\nTo fix them:\n${fixes.join('\n')}`] : []),
        `\n${sum}`,
      ].join('\n'),
    ...(counts.failures > 0 && { exitCode: exitCodes.failed }),
  };
}
