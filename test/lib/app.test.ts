/** Tests that the CDK's own validation reports nothing, whatever the settings are. */

import { ImageRedirectStack } from '../../lib/image-redirect-stack';
import { makeStage } from '../../lib/stage';
import { createUnbundledApp } from './synthesise';

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/1';
/** Every setting that adds resources or rights. */
const everything = {
  installation: 'all',
  slotBindings: { stock_a: 'unsplash', stock_b: 'pexels', stock_c: 'pixabay' },
  generator: { kind: 'openai-compatible', baseUrl: 'https://model.example/v1', model: 'm', apiKeyName: 'm' },
  alarmEmail: 'ops@example.org',
  keyVersion: 2,
  restoredTables: { apiKeys: 'restored' },
  warmWrites: 8_000,
  domains: {
    api: { name: 'api.example.org', certificateArn },
    images: { name: 'images.example.org', certificateArn },
  },
};

// The import of `synthesise` has turned it off.
delete process.env['CDK_VALIDATION'];

test.each([
  ['prod', 'every setting that adds resources', { ...everything, edge: true }],
  ['prod', 'all of these settings but edge', everything],
  ['dev', 'its defaults', {}],
] as const)('the CDK validates the stage %s with %s', (name, _, changes) => {
  const app = createUnbundledApp();
  new ImageRedirectStack(app, 'Test', { stage: makeStage(name, changes) });
  const { messages } = app.synth().getStackByName('Test');
  expect(messages.filter(({ level }) => level !== 'info')).toEqual([]);
});
