/** The variables that the stack sets are those that each function reads. */

import { outputs } from '../../../lambda/contract/outputs';
import type { Settings } from '../../../lambda/functions/config';
import { functionSettings } from '../../../lib/functions/environment';
import { stageOf } from '../../../lib/stage';
import { environmentOf, resourcesOf, synthesise } from '../synthesise';

const functions: readonly (readonly [string, Settings])[] = Object.entries(functionSettings);

const idOf = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}Function`;

const everythingSet = synthesise('dev', {
  contact: 'ops@example.org',
  apiDomain: {
    name: 'api.example.org',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
  },
  testKeysGenerate: true,
  edge: true,
  eventBus: 'default',
  generator: {
    kind: 'openai-compatible',
    baseUrl: 'https://images.example.org/v1',
    model: 'm',
    apiKeyName: 'k',
  },
  slotBindings: { stock_a: 'unsplash', stock_b: 'pexels', stock_c: 'pixabay' },
});

test('every function of the stack has settings', () => {
  const deployed = Object.keys(resourcesOf(synthesise('dev'), 'AWS::Lambda::Function'));
  expect(functions.map(([name]) => idOf(name)).sort()).toEqual(
    deployed.filter((id) => id.endsWith('Function')).sort(),
  );
});

test.each(functions)(
  'the stack always sets what %s cannot start without, and nothing else',
  (name, settings) => {
    const set = Object.keys(environmentOf(synthesise('dev'), idOf(name)));
    const needed = Object.keys(settings).filter((variable) => !('fallback' in (settings[variable] ?? {})));
    expect(set).toEqual(expect.arrayContaining(needed));
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(set));
  },
);

/** Set by the local service alone. */
const isLocal = (variable: string) =>
  ['ANONYMOUS_LIMIT', 'DRAW_WITHOUT_PROVIDERS', 'DEMO_KEY'].includes(variable);

test.each(functions)('the stack can set everything that %s reads, and nothing else', (name, settings) => {
  const read = Object.keys(settings).filter((variable) => !isLocal(variable));
  expect(Object.keys(environmentOf(everythingSet, idOf(name))).sort()).toEqual(read.sort());
});

describe.each(['dev', 'prod'] as const)('as %s sets it', (stage) => {
  test.each(functions)('the environment of %s can be read by it', (name, settings) => {
    // What CloudFormation fills in is not known here; everything that is written out must be readable.
    const written = Object.entries(environmentOf(synthesise(stage), idOf(name))).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    for (const [variable, text] of written) expect(() => settings[variable]?.read(text)).not.toThrow();
  });
});

test('every function calls the endpoint that stands for AWS on this machine, which no stage that keeps data may name', () => {
  const awsEndpointUrl = 'http://host.docker.internal:8000';
  const local = synthesise('dev', { awsEndpointUrl });
  for (const [name] of functions)
    expect(environmentOf(local, idOf(name))).toMatchObject({ AWS_ENDPOINT_URL: awsEndpointUrl });
  expect(() => stageOf('prod', { awsEndpointUrl })).toThrow('awsEndpointUrl');
});

test('the output about stock providers states the configuration of the image function, including the secret of the provider keys', () => {
  const { Value: value } = everythingSet.findOutputs(outputs.stockProviders)[outputs.stockProviders] ?? {};
  const [, parts] = value['Fn::Join'] as [string, readonly unknown[]];
  const written = parts.map((part) => (typeof part === 'string' ? part : 'the-arn')).join('');
  const configured = JSON.parse(written) as Readonly<Record<string, string>>;
  const environment = environmentOf(everythingSet, 'RedirectFunction');
  for (const [name, value] of Object.entries(configured))
    expect(value).toEqual(name === 'PROVIDER_SECRET_ID' ? 'the-arn' : environment[name]);
  expect(Object.keys(configured).sort()).toEqual([
    'CONTACT',
    'IMAGE_DELIVERY',
    'PROVIDER_ENDPOINTS',
    'PROVIDER_QUOTAS',
    'PROVIDER_SECRET_ID',
    'SLOT_BINDINGS',
  ]);
});

test('every output that operators and scripts read by the contract is there', () => {
  for (const name of Object.values(outputs)) expect(everythingSet.findOutputs(name)).not.toEqual({});
});

test.each([
  [{ generationsPerDay: 7 }, '7'],
  [{ generationsPerDay: 'off' }, 'off'],
])('with %j, the output about the ceiling of a day says %s', (settings, told) => {
  const { generationsPerDay } = outputs;
  expect(synthesise('dev', settings).findOutputs(generationsPerDay)[generationsPerDay]).toEqual({
    Value: told,
  });
});
