/** Holds both sides of the environment together: what the stack sets is what each function reads. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { outputs } from '../../lambda/contract/outputs';
import { environmentOf, resourcesOf, synthesise, synthesiseOnce } from './synthesise';

interface Setting {
  readonly fallback?: unknown;
  read(text: string): unknown;
}

/** Function's logical id → its settings module. */
const settingsModules = Object.keys(resourcesOf(synthesiseOnce('dev'), 'AWS::Lambda::Function'))
  .filter((id) => id.endsWith('Function'))
  .map((id) => {
    const folder = id.replace(/Function$/, '');
    return [id, `../../lambda/functions/${folder[0]?.toLowerCase()}${folder.slice(1)}/settings`] as const;
  });

const settingsIn = (path: string): Readonly<Record<string, Setting>> => require(path).settings;

const everythingSet = synthesise('dev', {
  contact: 'ops@example.org',
  testKeysGenerate: true,
  eventBus: 'default',
  generator: {
    kind: 'openai-compatible',
    baseUrl: 'https://images.example.org/v1',
    model: 'm',
    apiKeyName: 'k',
  },
  slotBindings: { stock_a: 'unsplash', stock_b: 'pexels', stock_c: 'pixabay' },
});

test.each(settingsModules)('%s is told all it needs, and nothing it does not read', (id, path) => {
  expect(existsSync(`${join(__dirname, path)}.ts`)).toBe(true);
  const settings = settingsIn(path);
  const required = Object.keys(settings).filter((name) => !('fallback' in (settings[name] ?? {})));
  const told = Object.keys(environmentOf(synthesiseOnce('dev'), id));
  expect(told).toEqual(expect.arrayContaining(required));
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(told));
});

test.each(settingsModules)('every setting of %s can be given by the stack', (id, path) => {
  expect(Object.keys(environmentOf(everythingSet, id)).sort()).toEqual(Object.keys(settingsIn(path)).sort());
});

describe.each(['dev', 'prod'] as const)('as %s sets it', (stage) => {
  test.each(settingsModules)('the environment of %s can be read by it', (id, path) => {
    const settings = settingsIn(path);
    // What CloudFormation fills in is not known here; everything that is written out must be readable.
    const written = Object.entries(environmentOf(synthesiseOnce(stage), id)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    for (const [name, text] of written) expect(() => settings[name]?.read(text)).not.toThrow();
  });
});

test('the output about stock providers says what the image function is told, the secret of their keys included', () => {
  const { Value: value } = everythingSet.findOutputs(outputs.stockProviders)[outputs.stockProviders] ?? {};
  const [, parts] = value['Fn::Join'] as [string, readonly unknown[]];
  const written = parts.map((part) => (typeof part === 'string' ? part : 'the-arn')).join('');
  const told = JSON.parse(written) as Readonly<Record<string, string>>;
  const environment = environmentOf(everythingSet, 'RedirectFunction');
  for (const [name, value] of Object.entries(told))
    expect(value).toEqual(name === 'PROVIDER_SECRET_ID' ? 'the-arn' : environment[name]);
  expect(Object.keys(told).sort()).toEqual([
    'CONTACT',
    'PROVIDER_ENDPOINTS',
    'PROVIDER_QUOTAS',
    'PROVIDER_SECRET_ID',
    'SLOT_BINDINGS',
  ]);
});

test('every output that operators and scripts read by the contract is there', () => {
  for (const name of Object.values(outputs)) expect(everythingSet.findOutputs(name)).not.toEqual({});
});
