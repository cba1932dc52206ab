/** Writes a release that the console or the AWS CLI deploys from any bucket, without Node.js and the CDK: `npm run release`. */

import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { createCommand, run } from '../../cli/command';
import { configuredStage } from '../../cli/doctor/doctor';
import { forRegion } from '../../lib/regions';
import { stageNames } from '../../lib/stage-settings';
import { projectContext } from '../review/review-template';
import { writeRelease } from './write-release';

interface ReleaseOptions {
  readonly out: string;
  readonly stage: string;
  readonly context?: readonly string[];
  readonly region?: string;
  readonly json?: boolean;
}

function release({ out, stage: name, context: given = [], region, json }: ReleaseOptions): void {
  const stage = forRegion(configuredStage(name, given), region);
  const { settings: _, ...ofCdk } = projectContext();
  const written = writeRelease(stage, resolve(out), ofCdk);
  const { folder, stackName, required } = written;
  const overrides = required.map((each) => `${each}=${each === 'assetsBucket' ? 'BUCKET' : '...'}`).join(' ');
  console.log(
    json
      ? JSON.stringify(written)
      : `${folder}: a template and ${readdirSync(folder).length - 1} zip files. To launch it, or to update a stack to it:

  aws s3 cp --recursive ${folder} s3://BUCKET/${written.name}
  aws cloudformation deploy --stack-name ${stackName} --template-file ${folder}/template.json --s3-bucket BUCKET --capabilities CAPABILITY_IAM --parameter-overrides ${overrides}`,
  );
}

run(
  createCommand('release', {
    summary: 'Write a template with parameters, and the code of its functions, for a launch without Node.js.',
    program: 'npm run release --',
    examples: [
      '--out dist',
      '--out dist --stage dev -c installation=trial -c edge=true',
      '--out dist --json',
    ],
  })
    .requiredOption('--out <FOLDER>', 'where the folder of the release is made')
    .addOption(
      new Option('--stage <NAME>', 'the stage, with its settings in cdk.json')
        .choices(stageNames)
        .default('prod'),
    )
    .option('-c, --context <NAME=VALUE...>', 'a setting of the stage, as cdk deploy takes it')
    .option('--region <NAME>', 'region it is for, where that one has no budgets or lower throttles')
    .option('--json', 'print one line of JSON on stdout, for scripts')
    .action(release),
);
