/** Reads the operator's choice of generator from JSON. */

import * as z from 'zod/mini';
import { functionTimeoutsS, modelTimeoutMs } from '../../contract/timeouts';
import { bedrockRegion, defaultModelId } from './bedrock/models';
import type { BedrockStabilitySettings } from './bedrock-stability';
import type { OpenAiCompatibleSettings } from './openai-compatible';
import type { SandboxSettings } from './sandbox';

export type GeneratorSettings = SandboxSettings | BedrockStabilitySettings | OpenAiCompatibleSettings;

const milliseconds = z.int().check(z.minimum(1), z.maximum(functionTimeoutsS.generator * 1_000));
const perMinute = z.exactOptional(z.int().check(z.minimum(1)));
const host = z.string().check(z.regex(/^[A-Za-z0-9.-]+(:\d+)?$/, 'must be a host'));

const sandbox = z.strictObject({
  kind: z.literal('sandbox'),
  delayMs: z._default(z.int().check(z.minimum(0), z.maximum(60_000)), 0),
  refuse: z._default(z.array(z.string().check(z.minLength(1))), []),
});

const bedrockStability = z.strictObject({
  kind: z.literal('bedrock-stability'),
  modelId: z._default(z.string().check(z.regex(/^[\w.:/-]+$/, 'must be a model id')), defaultModelId),
  region: z._default(z.string().check(z.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region')), bedrockRegion),
  timeoutMs: z._default(milliseconds, modelTimeoutMs),
  requestsPerMinute: perMinute,
});

const openAiCompatible = z
  .strictObject({
    kind: z.literal('openai-compatible'),
    baseUrl: z.url({ protocol: /^https?$/ }).check(z.overwrite((url) => url.replace(/\/+$/, ''))),
    model: z.string().check(z.minLength(1)),
    apiKeyName: z.exactOptional(z.string().check(z.minLength(1))),
    sizeMode: z._default(z.enum(['exact', 'multiple-of-16', 'list', 'omit']), 'multiple-of-16'),
    longSidePx: z._default(z.int().check(z.minimum(256), z.maximum(3_840)), 1_536),
    sizes: z._default(z.array(z.string().check(z.regex(/^[1-9]\d*x[1-9]\d*$/, 'must be WxH'))), []),
    sendResponseFormat: z._default(z.enum(['none', 'b64_json', 'url']), 'none'),
    sendSeed: z._default(z.boolean(), false),
    sendNegativePrompt: z._default(z.boolean(), false),
    extraBody: z._default(z.record(z.string(), z.unknown()), {}),
    imageHosts: z.exactOptional(z.array(host)),
    timeoutMs: z._default(milliseconds, modelTimeoutMs),
    requestsPerMinute: perMinute,
  })
  .check(
    z.refine((it) => it.sizeMode !== 'list' || it.sizes.length > 0, {
      path: ['sizes'],
      message: 'must name a size',
    }),
  );

const schema = z.discriminatedUnion('kind', [sandbox, bedrockStability, openAiCompatible]);

/**
 * A misspelt setting is refused, so that it is not silently without effect.
 * @throws `Error` that names every faulty setting.
 */
export function readGeneratorSettings(value: unknown): GeneratorSettings {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => {
    const message =
      issue.code === 'unrecognized_keys' ? `no such setting: ${issue.keys.join(', ')}` : issue.message;
    return `${issue.path.join('.') || 'generator'}: ${message}`;
  });
  throw new Error(`must describe a generator (${faults.join('; ')})`);
}
