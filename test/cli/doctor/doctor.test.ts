/** The command from the outside: its exit codes, its output as JSON and as text, and what it refuses. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configuredStage } from '../../../cli/doctor/doctor';
import { runTool } from '../run-tool';

jest.setTimeout(60_000);

describe('image-redirect doctor', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'doctor-'));
  afterAll(() => rmSync(cwd, { recursive: true }));
  const run = (...args: string[]) => runTool(['doctor', ...args], { cwd });

  it('ends with 1 and names what fixes a failure', async () => {
    const { exitCode, json, stdout, stderr } = await run('--stage', 'prod', '--json');
    expect([exitCode, stderr, stdout.trimEnd().split('\n').length]).toEqual([1, '', 1]);
    expect(json()).toMatchObject({
      passes: 0,
      warnings: 0,
      failures: 1,
      findings: [{ check: 'region', outcome: 'failure', fix: expect.stringContaining('AWS_REGION') }],
    });
  });

  it('says the same to people', async () => {
    const { exitCode, stdout } = await run('--stack', 'ImageRedirect-prod');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/FAILURE +region/);
    expect(stdout).toContain('export AWS_REGION=');
  });

  it.each([
    ['AWS_DEFAULT_REGION', { AWS_DEFAULT_REGION: 'eu-west-3' }, [], 'eu-west-3'],
    ['AWS_REGION before it', { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-3' }, [], 'eu-west-1'],
    ['--region before both', { AWS_REGION: 'eu-west-1' }, ['--region', 'us-west-2'], 'us-west-2'],
  ])('examines the region of %s', async (_, env, args, region) => {
    const { json } = await runTool(['doctor', ...args, '--json'], { cwd, env });
    expect(json()).toMatchObject({
      findings: [
        { check: 'region', outcome: 'pass', found: region },
        { check: 'credentials', outcome: 'failure', fix: expect.stringContaining('aws sso login') },
      ],
    });
  });

  it('examines with the profile that is named', async () => {
    const env = { AWS_REGION: 'eu-west-1', AWS_PROFILE: 'other' };
    const { json } = await runTool(['doctor', '--profile', 'ops', '--json'], { cwd, env });
    expect(json<{ findings: object[] }>().findings.at(-1)).toMatchObject({
      check: 'credentials',
      found: expect.stringContaining('for profile ops'),
    });
  });

  it('reads a setting up to its end, whatever is in it', () => {
    const contact = 'https://a.example/?a=b=c';
    expect(configuredStage('dev', [`contact=${contact}`])).toMatchObject({ contact });
  });

  it.each([
    ['a stage that there is not', ['--stage', 'test'], 'prod'],
    ['a stage and a stack', ['--stage', 'prod', '--stack', 'ImageRedirect-prod'], 'cannot be used with'],
    ['a setting without value', ['--context', 'contact'], 'NAME=VALUE'],
    ['a setting that is not usable', ['--context', 'generatorConcurrency=0'], 'generatorConcurrency'],
  ])('refuses %s with 2', async (_, args, message) => {
    const { exitCode, stderr, stdout } = await run(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
