/** The command `doctor`: checks an AWS account before a deployment, or a deployed stack. */

import { type Command, Option } from 'commander';
import { clientTimeoutMs } from '../../lambda/contract/timeouts';
import { stageNames } from '../../lib/stage';
import { createCommand } from '../command';
import { exitCodes } from '../failure';
import { createOutput } from '../output';
import { keyVariable } from './check-service';

const more = `Environment:
  ${keyVariable}   an API key of the stack, for the check of a private image;
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

export function doctor(): Command {
  return createCommand('doctor', {
    summary: 'Check an AWS account before a deployment, or a stack after one.',
    details:
      'Each failure and warning names the command that fixes it. Nothing is changed and no secret is printed; a stack is sent one request for each stock slot and, with a key, one for a private image and one for its usage; an OpenAI-compatible generator is asked for its models.',
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
  const { configuredStage } = await import('./configured-stage');
  const stage = stack === undefined ? configuredStage(name, context ?? []) : undefined;
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  // The SDK's clients are loaded by what needs them only, so that help and refusals are quick.
  const { awsAccount } = await import('./aws-account');
  const { examineAccount, examineStack } = await import('./examine');
  const { report } = await import('./report');
  const { env } = process;
  const account = awsAccount((region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION']) || undefined);
  const findings =
    stage === undefined
      ? await examineStack(account, stack ?? '', ask, Date.now(), env[keyVariable] || undefined)
      : await examineAccount(account, stage, Date.now());
  const subject = stage === undefined ? `stack ${stack}` : `the account for stage ${stage.name}`;
  report(createOutput(process, json === true), subject, findings, Date.now());
  if (findings.some(({ outcome }) => outcome === 'failure')) process.exitCode = exitCodes.failed;
}

function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(clientTimeoutMs) });
}
