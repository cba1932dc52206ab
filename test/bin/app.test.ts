/** What `cdk synth` and `cdk deploy` print for settings that are not usable, and for what a deployment takes back. */

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { outputs } from '../../lambda/contract/outputs';
import { version } from '../../package.json';
import { startCloudFormation } from '../cli/scripted-cloudformation';

const cwd = join(__dirname, '..', '..');
const args = ['--no-warnings', '--import', 'tsx', 'bin/app.ts'];

it('a setting that is not usable is refused in its line alone, without a stack trace', () => {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stage: 'dev', logRetentionDays: '8' }) },
  });
  expect(stderr.trimEnd().split('\n')).toEqual([
    'The settings of stage dev are not usable:',
    '  logRetentionDays: allowed: 1, 3, 5, 7, 14, 30, 60, 90, 180, 365, 731; given: 8',
  ]);
  expect(status).toBe(1);
});

interface Note {
  readonly type: string;
  readonly data: string;
}

/** Warnings and errors of the stack of dev. @param deployed settings and version that it has */
async function notesOf(deployed: object, deployedVersion: string): Promise<readonly Note[]> {
  const stacks = {
    'ImageRedirect-dev': {
      [outputs.settings]: JSON.stringify(deployed),
      [outputs.version]: deployedVersion,
    },
  };
  const cloudFormation = await startCloudFormation(() => stacks);
  const folder = mkdtempSync(join(tmpdir(), 'app-'));
  try {
    await promisify(execFile)(process.execPath, args, {
      cwd,
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: cloudFormation.address,
        AWS_ACCESS_KEY_ID: 'a',
        AWS_SECRET_ACCESS_KEY: 'b',
        CDK_CONTEXT_JSON: JSON.stringify({ 'aws:cdk:bundling-stacks': [] }),
        CDK_DEFAULT_ACCOUNT: '123456789012',
        CDK_DEFAULT_REGION: 'eu-west-3',
        CDK_OUTDIR: folder,
        CDK_VALIDATION: 'false',
      },
    });
    const files = readdirSync(folder).filter((name) => /^manifest|metadata/.test(name));
    const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'));
    return texts.flatMap((text) => notesIn(JSON.parse(text)));
  } finally {
    rmSync(folder, { recursive: true });
    await cloudFormation.stop();
  }
}

function notesIn(part: unknown): readonly Note[] {
  if (typeof part !== 'object' || part === null) return [];
  const { type, data } = part as Note;
  return /^aws:cdk:(warning|error)$/.test(type) ? [{ type, data }] : Object.values(part).flatMap(notesIn);
}

it('a deployment is told what it takes back, and stopped where given URLs would end', async () => {
  const deployed = { contact: 'ops@example.org', signingKey: { version: 2, trusted: [1, 2] } };
  expect(await notesOf(deployed, '99.0.0')).toEqual([
    {
      type: 'aws:cdk:warning',
      data: expect.stringMatching(/^contact goes back .*-c contact=ops@example\.org/),
    },
    { type: 'aws:cdk:warning', data: expect.stringMatching(/^signingKey goes back /) },
    { type: 'aws:cdk:error', data: expect.stringMatching(/^signingKey no longer trusts version 2/) },
    {
      type: 'aws:cdk:warning',
      data: expect.stringMatching(`^The stack has version 99.0.0, and this one is older: ${version}.`),
    },
  ]);
  expect(await notesOf({}, version)).toEqual([]);
}, 60_000);
