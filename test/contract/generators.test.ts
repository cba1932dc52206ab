/** The operator's choice of generator. */

import { readFoundationModel, readGeneratorSettings } from '../../lambda/contract/generators';

test('a generator with defaults for all settings needs only its kind', () => {
  expect(readGeneratorSettings({ kind: 'sandbox' })).toEqual({
    kind: 'sandbox',
    delayMs: 0,
    refuse: [],
    longSidePx: 1_536,
  });
  expect(readGeneratorSettings({ kind: 'bedrock-stability' })).toEqual({
    kind: 'bedrock-stability',
    modelId: 'stability.stable-image-core-v1:1',
    region: 'us-west-2',
  });
});

const server = { kind: 'openai-compatible', baseUrl: 'https://a/v1', model: 'm' };

test.each([
  ['an unknown kind', 'kind', { kind: 'dall-e' }],
  ['no kind', 'kind', {}],
  ['null', 'generator', null],
  ['an unknown field', 'no such setting: delay', { kind: 'sandbox', delay: 5 }],
  ['a faulty region', 'region: must be a region', { kind: 'bedrock-stability', region: 'us west' }],
  ['a file as URL', 'baseUrl', { ...server, baseUrl: 'file:///x' }],
  ['no model', 'model', { ...server, model: undefined }],
  ['an empty model', 'model', { ...server, model: '' }],
  ['an empty name of a key', 'apiKeyName', { ...server, apiKeyName: '' }],
  ['a faulty size', 'sizes.0: must be WxH', { ...server, sizes: ['big'] }],
])('a generator with %s is refused by naming %s', (_, fault, value) => {
  expect(() => readGeneratorSettings(value)).toThrow(fault);
});

test.each<[name: string, object, takes: readonly unknown[], refuses: readonly unknown[]]>([
  ['delayMs', { kind: 'sandbox' }, [0, 60_000], [-1, 60_001, 0.5]],
  ['longSidePx', { kind: 'sandbox' }, [256, 3_840], [255, 3_841]],
  ['refuse', { kind: 'sandbox' }, [['a']], [['']]],
  ['modelId', { kind: 'bedrock-stability' }, ['eu.a-b_c:1/d'], ['', 'a b']],
  ['region', { kind: 'bedrock-stability' }, ['us-gov-west-1'], ['us-west', 'us-west-10']],
  ['sizes', server, [['1x1', '1024x1536']], [['0x1'], ['01x1'], ['1x0'], ['1X1']]],
  ['imageHosts', server, [['a.example', '127.0.0.1:80']], [['https://a'], ['a:'], ['a/b']]],
])('a generator takes only values of %s within its bounds', (name, generator, takes, refuses) => {
  const read = (value: unknown) => readGeneratorSettings({ ...generator, [name]: value });
  for (const value of takes) expect(read(value)).toMatchObject({ [name]: value });
  for (const value of refuses) expect(() => read(value)).toThrow(`(${name}`);
});

// The prefixes of inference profiles: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html
test.each(['us.', 'us-gov.', 'eu.', 'apac.', 'jp.', 'au.', 'ca.', 'global.', ''])(
  'an inference profile with the prefix %j is read as its model',
  (place) => {
    expect(readFoundationModel(`${place}amazon.nova-lite-v1:0`)).toBe('amazon.nova-lite-v1:0');
  },
);
