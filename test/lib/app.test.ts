/** The app as `cdk synth` runs it: CDK validation and cdk-nag report nothing unexplained. */

import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ImageRedirectStack } from '../../lib/image-redirect-stack';
import { stageOf } from '../../lib/stage';
import type { StageName } from '../../lib/stage-settings';
import { unbundledApp } from './synthesise';

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/1';
const hostedZoneId = 'Z0123456789';
/** Every setting that adds resources or rights. */
const withoutEdge = {
  installation: 'all',
  slotBindings: { stock_a: 'unsplash', stock_b: 'pexels', stock_c: 'pixabay' },
  generator: { kind: 'openai-compatible', baseUrl: 'https://model.example/v1', model: 'm', apiKeyName: 'm' },
  alarmEmail: 'ops@example.org',
  keyVersion: 2,
  restoredTables: { apiKeys: 'restored' },
  warmWrites: 8_000,
  domains: {
    api: { name: 'api.example.org', certificateArn, hostedZoneId },
    images: { name: 'images.example.org', certificateArn, hostedZoneId },
  },
};
const everythingOn = { ...withoutEdge, edge: true };

const known = new Map<string, ImageRedirectStack>();

/** The stack of a stage, validated once. @throws `Error` for a finding that is not explained */
function validated(name: StageName, changes: Readonly<Record<string, unknown>>): ImageRedirectStack {
  const key = JSON.stringify([name, changes]);
  const stack = known.get(key) ?? validate(name, changes);
  known.set(key, stack);
  return stack;
}

function validate(name: StageName, changes: Readonly<Record<string, unknown>>): ImageRedirectStack {
  delete process.env['CDK_VALIDATION'];
  const app = unbundledApp();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const stack = new ImageRedirectStack(app, 'Test', { stage: stageOf(name, changes) });
  app.synth();
  return stack;
}

// The stack of the most resource types first: the CDK makes the rules anew for one with types that it has not seen.
test.each([
  ['prod', 'everything', everythingOn],
  ['prod', 'everything but an edge', withoutEdge],
  ['dev', 'an edge', { edge: true }],
  ['dev', 'nothing', {}],
] as const)(
  'stage %s with %s set has no finding that is not explained',
  (name, _, changes) => {
    expect(() => validated(name, changes)).not.toThrow();
  },
  60_000,
);

test('every explanation is a sentence', () => {
  const reasons = validated('dev', {})
    .node.findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .map(({ data }) => JSON.stringify(data));
  expect(reasons.length).toBeGreaterThan(5);
  for (const reason of reasons) expect(reason.length).toBeGreaterThan(60);
}, 60_000);
