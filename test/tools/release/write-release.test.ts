/** A release: with its parameters at their defaults it is what the CDK deploys, and everything it names is in its folder. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { joinOutput, outputs } from '../../../lambda/contract/outputs';
import { readText, stageOf } from '../../../lib/stage';
import { version } from '../../../package.json';
import { writeRelease } from '../../../tools/release/write-release';
import { projectContext, stageTemplate } from '../../../tools/review/review-template';

type Json = Readonly<Record<string, unknown>>;
interface Template extends Json {
  readonly Parameters: Readonly<Record<string, { readonly Default?: unknown; readonly Type: string }>>;
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: Json }>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

const given = { alarmEmail: 'operator@example.org', contact: 'operator@example.org' };
const chosen = { ...given, assetsBucket: 'bucket', assetsPrefix: 'releases/' };
const out = mkdtempSync(join(tmpdir(), 'written-release-'));
const write = (changes: object) =>
  writeRelease(stageOf('prod', { ...changes }), out, { ...projectContext(), 'aws:cdk:bundling-stacks': [] });
const templateIn = (folder: string): Template =>
  JSON.parse(readFileSync(join(folder, 'template.json'), 'utf8'));

let release: ReturnType<typeof write>;
let template: Template;

beforeAll(() => {
  process.env['CDK_VALIDATION'] = 'false';
  release = write({});
  template = templateIn(release.folder);
}, 60_000);
afterAll(() => rmSync(out, { recursive: true }));

/** A part of the template as CloudFormation has it, with values of parameters as texts. */
function resolved(part: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(part)) return part.map((each) => resolved(each, values));
  if (typeof part !== 'object' || part === null) return part === undefined ? part : String(part);
  const { Ref, 'Fn::Sub': sub, 'Fn::Join': join } = part as Json;
  if (typeof Ref === 'string' && Ref in values) return String(values[Ref]);
  if (typeof sub === 'string') return sub.replace(/\$\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
  const entries = Object.entries(part).map(([name, value]) => [name, resolved(value, values)]);
  const whole = Object.fromEntries(entries);
  const parts: unknown = join === undefined ? undefined : whole['Fn::Join'][1];
  const isText = Array.isArray(parts) && parts.every((each) => typeof each === 'string');
  return isText ? parts.join('') : whole;
}

const valuesOf = ({ Parameters }: Template): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(Object.entries(Parameters).map(([name, { Default }]) => [name, Default])),
  ...chosen,
});

/** Resources of the check that only a release has. */
const checks = /^(ReleaseCheck|CheckedRelease)/;

test('with the defaults of its parameters it is what the CDK deploys', () => {
  const deployed = stageTemplate(stageOf('prod', given)) as Template;
  const comparable = ({ Resources }: Template, values: Json) =>
    Object.entries(Resources)
      .filter(([id]) => !checks.test(id))
      // Where the code lies is the difference; the id of a subscription follows from a token.
      .map(([id, { Type, Properties: { Code: _, ...properties } = {} }]) => [
        Type === 'AWS::SNS::Subscription' ? Type : id,
        resolved({ Type, ...properties }, values),
      ])
      .toSorted();
  const mask = (all: unknown) => JSON.parse(JSON.stringify(all).replace(/[0-9A-Fa-f]{32,64}/g, ''));
  expect(mask(comparable(template, valuesOf(template)))).toEqual(mask(comparable(deployed, {})));
});

test('asks for what has no default, and needs nothing that a bootstrap makes', () => {
  expect(release.required.toSorted()).toEqual(['alarmEmail', 'assetsBucket', 'contact']);
  expect(JSON.stringify(template)).not.toMatch(/cdk-hnb659fds|BootstrapVersion/);
});

test('each function finds its code in the folder, under the key that the printed command copies it to', () => {
  const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  expect(functions.length).toBeGreaterThan(8);
  for (const { Properties } of functions) {
    const { S3Bucket, S3Key } = resolved(Properties?.['Code'], chosen) as { S3Bucket: string; S3Key: string };
    expect([S3Bucket, S3Key.slice(0, S3Key.lastIndexOf('/'))]).toEqual([
      'bucket',
      `releases/${release.name}`,
    ]);
    const file = readFileSync(join(release.folder, S3Key.slice(S3Key.lastIndexOf('/') + 1)));
    expect(Object.keys(unzipSync(file))).toContain('main.mjs');
    // Lambda runs the code as a user of its own, who has to read it: the mode stands in the directory of the file.
    const bytes = Buffer.from(file);
    const entry = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
    expect((bytes.readUInt32LE(entry + 38) >>> 16) & 0o777).toBe(0o644);
    // Midnight of 1 January 1980, whenever it is written: the same code is the same file.
    expect(bytes.readUInt32LE(entry + 12)).toBe(0x0021_0000);
  }
});

test('the check may read its own stack alone', () => {
  const statements = Object.entries(template.Resources).flatMap(([id, { Properties }]) => {
    const { Statement = [] } = (Properties?.['PolicyDocument'] ?? {}) as { readonly Statement?: Json[] };
    return checks.test(id) ? Statement : [];
  });
  expect(statements).toContainEqual({
    Action: 'cloudformation:DescribeStacks',
    Effect: 'Allow',
    Resource: { Ref: 'AWS::StackId' },
  });
});

test('everything else waits until the stack has been checked', () => {
  const { Resources } = template as unknown as { Resources: Record<string, { DependsOn?: string[] }> };
  const waiting = Object.entries(Resources).filter(([id]) => !checks.test(id));
  for (const [id, { DependsOn = [] }] of waiting)
    expect([id, DependsOn]).toEqual([id, expect.arrayContaining(['CheckedRelease'])]);
});

test('tells the check what it has, what its parameters are by default, and what the operator accepts', () => {
  const { Properties } = template.Resources['CheckedRelease'] ?? {};
  expect(Properties).toMatchObject({ Version: version, MayGoBack: { Ref: 'mayGoBack' } });
  const { assetsBucket: _, assetsPrefix: __, mayGoBack: ___, ...parameters } = valuesOf(template);
  const defaults = JSON.parse(String(Properties?.['Defaults']));
  expect({ ...defaults, ...given }).toEqual(parameters);
  expect(defaults).toMatchObject({ redirectMaxAgeS: 3_600, logRetentionDays: 90 });
});

test('its parameters take what the settings take', () => {
  const { Description: _, ...perDay } = template.Parameters['generationsPerDay'] as unknown as Json;
  expect(perDay).toEqual({ Type: 'Number', Default: 2_000, MinValue: 1, MaxValue: 1_000_000 });
  expect(template.Parameters).toMatchObject({
    contact: { Type: 'String', AllowedPattern: expect.stringContaining('~') },
    alarmEmail: { Type: 'String', AllowedPattern: expect.stringContaining('@') },
    redirectMaxAgeS: { Type: 'Number', MinValue: 0, MaxValue: 86_400 },
    logRetentionDays: { Type: 'Number', AllowedValues: expect.arrayContaining(['1', '731']) },
    mayGoBack: { Type: 'String', Default: '' },
  });
});

test('nothing is left beside its folder', () => {
  const { TMPDIR } = process.env;
  const own = mkdtempSync(join(out, 'temporary-'));
  process.env['TMPDIR'] = own;
  write({});
  process.env['TMPDIR'] = TMPDIR;
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  expect(readdirSync(own)).toEqual([]);
});

test('is within what CloudFormation takes', () => {
  const text = readFileSync(join(release.folder, 'template.json'), 'utf8');
  expect(text.length).toBeLessThan(1_000_000);
  expect(text).toMatch(/^[ -~\s]*$/);
});

test('the settings that a stack of it states are those that its parameters have', () => {
  const values = { ...valuesOf(template), generationsPerDay: 7 };
  const stated = Object.entries(template.Outputs).map(([name, { Value }]) => [name, resolved(Value, values)]);
  const text = joinOutput(outputs.settings, Object.fromEntries(stated)) ?? '';
  const settings = Object.entries(JSON.parse(text)).map(([name, value]) => [name, readText(value)]);
  expect(stageOf('prod', Object.fromEntries(settings))).toEqual(
    stageOf('prod', { ...given, generationsPerDay: 7 }),
  );
});

test('a setting that is given for the release is the default of its parameter, and one that is off has none', () => {
  const { folder } = write({ contact: 'ops@example.org', generationsPerDay: 'off' });
  const { contact, generationsPerDay } = templateIn(folder).Parameters;
  expect([contact?.Default, generationsPerDay]).toEqual(['ops@example.org', undefined]);
});
