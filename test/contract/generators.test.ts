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

test.each([
  [{ kind: 'dall-e' }, 'kind'],
  [{}, 'kind'],
  [null, 'generator'],
  [{ kind: 'sandbox', delay: 5 }, 'no such setting: delay'],
  [{ kind: 'bedrock-stability', region: 'us west' }, 'region: must be a region'],
  [{ kind: 'openai-compatible', baseUrl: 'file:///x', model: 'm' }, 'baseUrl'],
  [{ kind: 'openai-compatible', baseUrl: 'https://a/v1' }, 'model'],
  [{ kind: 'openai-compatible', baseUrl: 'https://a/v1', model: '' }, 'model'],
  [{ kind: 'openai-compatible', baseUrl: 'https://a/v1', model: 'm', apiKeyName: '' }, 'apiKeyName'],
  [
    { kind: 'openai-compatible', baseUrl: 'https://a/v1', model: 'm', sizes: ['big'] },
    'sizes.0: must be WxH',
  ],
])('the setting %j is refused with what is wrong', (value, fault) => {
  expect(() => readGeneratorSettings(value)).toThrow(fault);
});

const server = { kind: 'openai-compatible', baseUrl: 'https://a/v1', model: 'm' };
test.each<[object, string, readonly unknown[], readonly unknown[]]>([
  [{ kind: 'sandbox' }, 'delayMs', [0, 60_000], [-1, 60_001, 0.5]],
  [{ kind: 'sandbox' }, 'longSidePx', [256, 3_840], [255, 3_841]],
  [{ kind: 'sandbox' }, 'refuse', [['a']], [['']]],
  [{ kind: 'bedrock-stability' }, 'modelId', ['eu.a-b_c:1/d'], ['', 'a b']],
  [{ kind: 'bedrock-stability' }, 'region', ['us-gov-west-1'], ['us-west', 'us-west-10']],
  [server, 'sizes', [['1x1', '1024x1536']], [['0x1'], ['01x1'], ['1x0'], ['1X1']]],
  [server, 'imageHosts', [['a.example', '127.0.0.1:80']], [['https://a'], ['a:'], ['a/b']]],
])('the generator %j takes %s within its bounds: %j, not %j', (choice, name, taken, refused) => {
  const read = (value: unknown) => readGeneratorSettings({ ...choice, [name]: value });
  for (const value of taken) expect(read(value)).toMatchObject({ [name]: value });
  for (const value of refused) expect(() => read(value)).toThrow(`(${name}`);
});

// The prefixes of inference profiles: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html
test.each(['us.', 'us-gov.', 'eu.', 'apac.', 'jp.', 'au.', 'ca.', 'global.', ''])(
  'an inference profile with the prefix %j is read as its model',
  (place) => {
    expect(readFoundationModel(`${place}amazon.nova-lite-v1:0`)).toBe('amazon.nova-lite-v1:0');
  },
);
