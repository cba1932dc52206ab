/** Asks the model that the operator chose, by a server that speaks OpenAI's chat API or by Amazon Bedrock. */

import { parseJson } from '../../base/parse-json';
import type { ModelSettings, SettingsOfModel } from '../../contract/judges';
import { answerBytesMax } from '../judgement';
import type { RequestModel } from '../look';

/** Where keys of servers are read. */
interface ModelsDeps {
  /** The key of a name among the provider keys, or `undefined` when there is none. */
  readonly readKey: (name: string) => Promise<string | undefined>;
}

/** @returns `undefined` where the operator has chosen none */
export function createRequestModel(
  settings: ModelSettings,
  { readKey }: ModelsDeps,
): RequestModel | undefined {
  switch (settings.kind) {
    case 'off':
      return undefined;
    case 'bedrock':
      return async (question, signal) => {
        const { requestBedrock } = await import('./bedrock-model');
        return requestBedrock(settings, question, within(settings.timeoutMs, signal));
      };
    case 'openai-compatible':
      return (question, signal) => askServer(settings, readKey, question, within(settings.timeoutMs, signal));
  }
}

const within = (timeoutMs: number, signal: AbortSignal) =>
  AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);

/** By the chat completions API: https://platform.openai.com/docs/api-reference/chat/create */
async function askServer(
  { baseUrl, model, apiKeyName, extraBody }: SettingsOfModel<'openai-compatible'>,
  readKey: ModelsDeps['readKey'],
  ...[{ system, text, image, schema, name }, signal]: Parameters<RequestModel>
): Promise<string> {
  const key = apiKeyName === undefined ? undefined : await readKey(apiKeyName);
  if (apiKeyName !== undefined && key === undefined) throw new Error(`There is no key called ${apiKeyName}`);
  const dataUrl = image && `data:${image.mediaType};base64,${Buffer.from(image.bytes).toString('base64')}`;
  const content = [
    { type: 'text', text },
    ...(dataUrl === undefined ? [] : [{ type: 'image_url', image_url: { url: dataUrl } }]),
  ];
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      model,
      temperature: 0,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content },
      ],
      response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
      ...extraBody,
    }),
    redirect: 'error',
    signal,
  }).catch((cause: unknown) => {
    throw new Error(signal.aborted ? 'The model did not answer in time' : 'The model could not be reached', {
      cause,
    });
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`The model answered with ${answer.status}`);
  }
  // A parser's own message would repeat a part of the answer.
  const body = parseJson(await readBody(answer)) as
    | { readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[] }
    | undefined;
  const said = body?.choices?.[0]?.message?.content;
  if (typeof said !== 'string') throw new Error('The model said nothing');
  return said;
}

/** @throws when it is longer than an answer may be */
async function readBody(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.byteLength;
    if (bytes > answerBytesMax) throw new Error('The answer of the model is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
