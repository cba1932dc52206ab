/** The operator's choice of the models that are asked something. */

import { judgeSettings, modelFacts, rewriterSettings } from '../../lambda/contract/judges';

const server = { kind: 'openai-compatible', baseUrl: 'https://a/v1/', model: 'm' };
const bedrock = { kind: 'bedrock', modelId: 'eu.amazon.nova-lite-v1:0', region: 'eu-west-1' };

test.each([
  ['judge', judgeSettings, 4_000],
  ['rewriter', rewriterSettings, 2_000],
] as const)('a %s is waited for as long as a request can wait, or less', (name, { read }, longestMs) => {
  for (const model of [server, bedrock]) {
    expect(read(model)).toMatchObject({ timeoutMs: longestMs });
    expect(read({ ...model, timeoutMs: longestMs - 1 })).toMatchObject({ timeoutMs: longestMs - 1 });
    expect(() => read({ ...model, timeoutMs: longestMs + 1 })).toThrow(/^must describe a .*timeoutMs/);
  }
  expect(() => read({ ...server, timeout: 5 })).toThrow(
    `must describe a ${name} (${name}: no such setting: timeout)`,
  );
});

test.each<[object, object]>([
  [{ kind: 'off' }, {}],
  [bedrock, { bedrockModel: { modelId: bedrock.modelId, region: bedrock.region } }],
  [server, { server: { baseUrl: 'https://a/v1', model: 'm' } }],
  [{ ...server, baseUrl: 'https://a/v1//' }, { server: { baseUrl: 'https://a/v1', model: 'm' } }],
  [
    { ...server, apiKeyName: 'k' },
    { server: { baseUrl: 'https://a/v1', model: 'm' }, keyName: 'k' },
  ],
])('%j says what the stack and the tools do about it', (choice, facts) => {
  expect(modelFacts(judgeSettings.read(choice))).toEqual(facts);
});
