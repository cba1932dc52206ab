/** The Bedrock adapter over HTTP, against responses constructed from the API documentation. */

import { BedrockClient } from '@aws-sdk/client-bedrock';
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Clock } from '../../../lambda/base/clock';
import { generationSeedMax } from '../../../lambda/generation/generation-identity';
import type { GeneratorRequest } from '../../../lambda/generation/generator';
import { createReadLifecycle } from '../../../lambda/generation/models/bedrock/lifecycle';
import { createBedrockStability } from '../../../lambda/generation/models/bedrock-stability';
import { ask, describeGenerator } from '../../contracts/generator';
import { jpeg } from '../../fakes/images';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

const core = 'stability.stable-image-core-v1:1';
const sd35 = 'stability.sd3-5-large-v1:0';
const ultra = 'stability.stable-image-ultra-v1:1';

/** Status, error name or body; a hang-up for 0; no answer at all for 'hang'. */
type Scripted = 'hang' | readonly [status: number, error: string | object, message?: string];

interface Seen {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

async function startBedrock(modelId = core, timeoutMs = 5_000) {
  const script: Scripted[] = [];
  const lifecycle: { answer: Scripted } = { answer: [404, 'ResourceNotFoundException'] };
  const seen: Seen[] = [];
  const pauses: number[] = [];
  const image = (await jpeg(64, 36)).toString('base64');
  const drawn: Scripted = [200, { seeds: [12345], finish_reasons: [null], images: [image] }];
  const loopback: Loopback = await listenOnLoopback(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const path = decodeURIComponent(request.url ?? '');
    const isQuestion = request.method === 'GET';
    if (!isQuestion) seen.push({ path, body: JSON.parse(text) as Record<string, unknown> });
    const next = isQuestion ? lifecycle.answer : (script.shift() ?? drawn);
    if (next === 'hang') return;
    const [status, answer, message = 'scripted'] = next;
    if (status === 0) return void response.destroy();
    const isError = typeof answer === 'string';
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(isError ? { 'x-amzn-errortype': `${answer}:http://internal.amazon.com/coral/` } : {}),
    });
    response.end(isError ? JSON.stringify({ message }) : JSON.stringify(answer));
  });
  const connection = {
    endpoint: loopback.address,
    region: 'us-west-2',
    maxAttempts: 1,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: new NodeHttpHandler(),
  };
  const client = new BedrockRuntimeClient(connection);
  const questions = new BedrockClient(connection);
  const clock: Clock = {
    nowMs: () => Date.UTC(2026, 10, 21),
    sleep: async (delayMs) => void pauses.push(delayMs),
  };
  const generator = createBedrockStability(
    { kind: 'bedrock-stability', modelId, region: 'us-west-2', timeoutMs },
    { client, readLifecycle: createReadLifecycle(questions), clock },
  );
  const generate = (change: Partial<GeneratorRequest> = {}) =>
    generator.generate({ ...ask, ...change }, new AbortController().signal);
  const stop = async () => {
    client.destroy();
    questions.destroy();
    await loopback.stop();
  };
  return { generator, generate, script, lifecycle, seen, pauses, stop };
}

describeGenerator('Stability on Bedrock', async () => {
  const { generator, script, stop } = await startBedrock();
  return {
    generator,
    refuse: () => void script.push([200, { finish_reasons: ['Filter reason: prompt'] }]),
    hang: () => void script.push('hang', 'hang', 'hang'),
    stop,
  };
});

describe('Stability on Bedrock', () => {
  let bedrock: Awaited<ReturnType<typeof startBedrock>>;
  const start = async (...given: Parameters<typeof startBedrock>) => {
    await bedrock?.stop();
    bedrock = await startBedrock(...given);
  };
  beforeEach(() => start());
  afterEach(() => bedrock.stop());

  describe('the request', () => {
    it('has the fields that the model documents', async () => {
      await bedrock.generate();
      expect(bedrock.seen).toEqual([
        {
          path: `/model/${core}/invoke`,
          body: {
            prompt: ask.prompt,
            negative_prompt: 'text, watermark',
            aspect_ratio: '16:9',
            seed: 12345,
            output_format: 'jpeg',
          },
        },
      ]);
    });

    it.each([
      [core, undefined, false],
      [sd35, 'image-to-image', true],
      [ultra, undefined, true],
    ])('starts a variation from the base image where the model can: %s', async (modelId, mode, starts) => {
      await start(modelId);
      expect(bedrock.generator.capability.imageToImage).toBe(starts);
      await bedrock.generate({ base: Buffer.from('base'), variation: 2 });
      const { body } = bedrock.seen[0] as Seen;
      expect(body['mode']).toBe(mode);
      expect([body['image'], body['aspect_ratio']]).toEqual(
        starts ? [Buffer.from('base').toString('base64'), undefined] : [undefined, '16:9'],
      );
      expect(body['strength']).toEqual(starts ? expect.any(Number) : undefined);
    });

    it('has a seed of its own for each variation, within bounds, and the same again', async () => {
      for (const variation of [1, 2, 1]) await bedrock.generate({ variation, seed: 4_294_967_294 });
      const [one, two, again] = bedrock.seen.map(({ body }) => body['seed'] as number);
      expect(one).toBe(again);
      expect(one).not.toBe(two);
      expect(Math.max(one as number, two as number)).toBeLessThanOrEqual(4_294_967_295);
    });

    it('has the largest seed as it is, as 0 would mean "at random"', async () => {
      for (const model of [core, sd35, 'stability.something-new-v9:0']) {
        await start(model);
        await bedrock.generate({ seed: generationSeedMax });
        expect(bedrock.seen[0]?.body['seed']).toBe(generationSeedMax);
      }
    });

    it('leaves the negative prompt out where the model takes none, from then on', async () => {
      bedrock.script.push([400, 'ValidationException', 'extraneous key [negative_prompt] is not permitted']);
      expect(await bedrock.generate()).toMatchObject({ outcome: 'image', model: core });
      await bedrock.generate();
      expect(bedrock.seen.map(({ body }) => 'negative_prompt' in body)).toEqual([true, false, false]);
    });

    it('keeps the negative prompt when something else was wrong', async () => {
      bedrock.script.push([400, 'ValidationException', 'bad'], [400, 'ValidationException', 'bad']);
      await expect(bedrock.generate()).rejects.toMatchObject({ kind: 'rejected', retryable: false });
      await bedrock.generate();
      expect(bedrock.seen.map(({ body }) => 'negative_prompt' in body)).toEqual([true, false, true]);
    });
  });

  describe('the answer', () => {
    it.each(['prompt', 'output image', 'input image'])(
      'is a refusal when the filter stopped the %s',
      async (what) => {
        bedrock.script.push([200, { finish_reasons: [`Filter reason: ${what}`] }]);
        expect(await bedrock.generate()).toEqual({ outcome: 'refused', reason: `Filter reason: ${what}` });
        expect(bedrock.seen).toHaveLength(1);
      },
    );

    it('is a refusal when a guardrail or the content filter stepped in', async () => {
      bedrock.script.push([200, { 'amazon-bedrock-guardrailAction': 'INTERVENED' }]);
      expect(await bedrock.generate()).toMatchObject({ outcome: 'refused' });
      bedrock.script.push([
        400,
        'ValidationException',
        'This request has been blocked by our content filters.',
      ]);
      expect(await bedrock.generate()).toMatchObject({ outcome: 'refused' });
    });

    it('is asked for again after an inference error', async () => {
      bedrock.script.push([200, { finish_reasons: ['Inference error'] }]);
      expect(await bedrock.generate()).toMatchObject({ outcome: 'image' });
      expect(bedrock.seen).toHaveLength(2);
    });

    it.each([
      ['no image', { finish_reasons: [null], images: [] }],
      [
        'something that is no image',
        { finish_reasons: [null], images: [Buffer.from('<svg/>').toString('base64')] },
      ],
      ['a list', []],
    ])('is malformed with %s', async (_, body) => {
      bedrock.script.push([200, body]);
      await expect(bedrock.generate()).rejects.toMatchObject({ kind: 'malformed' });
      expect(bedrock.seen).toHaveLength(1);
    });
  });

  describe('an error', () => {
    it('is that its own time is over, however long the caller waits', async () => {
      await start(core, 50);
      bedrock.script.push('hang');
      await expect(bedrock.generate()).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('did not answer in time'),
      });
    });

    it.each<readonly [number, string, string]>([
      [429, 'ThrottlingException', 'throttled'],
      [429, 'TooManyRequestsException', 'throttled'],
      [429, 'SomethingNew', 'throttled'],
      [429, 'ModelNotReadyException', 'unavailable'],
      [503, 'ServiceUnavailableException', 'unavailable'],
      [500, 'InternalServerException', 'unavailable'],
      [424, 'ModelErrorException', 'unavailable'],
      ...[424, 500, 503].map((status) => [status, 'SomethingNew', 'unavailable'] as const),
    ])('%i %s may pass: the image is asked for three times at most', async (status, name, kind) => {
      const error: Scripted = [status, name];
      bedrock.script.push(error, error);
      expect(await bedrock.generate()).toMatchObject({ outcome: 'image' });
      expect(bedrock.pauses).toEqual([500, 1_000]);
      bedrock.script.push(error, error, error);
      await expect(bedrock.generate()).rejects.toMatchObject({ kind, retryable: true });
      expect(bedrock.seen).toHaveLength(6);
    });

    it.each([
      [408, 'ModelTimeoutException'],
      ...[408, 502, 504].map((status) => [status, 'SomethingNew'] as const),
      [0, ''],
    ] as const)('%i %s may have been billed: the image is asked for once', async (status, name) => {
      bedrock.script.push([status, name]);
      await expect(bedrock.generate()).rejects.toMatchObject({ kind: 'unavailable', isUnbilled: false });
      expect(bedrock.seen).toHaveLength(1);
    });

    it.each([
      [400, 'ServiceQuotaExceededException', 'scripted', 'quota_exceeded'],
      [
        403,
        'AccessDeniedException',
        'User is not authorized to perform: bedrock:InvokeModel',
        'unauthorized',
      ],
      [
        403,
        'AccessDeniedException',
        "You don't have access to the model with the specified model ID.",
        'not_activated',
      ],
      [
        403,
        'AccessDeniedException',
        'Model access is denied due to INVALID_PAYMENT_INSTRUMENT',
        'not_activated',
      ],
      [403, 'AccessDeniedException', 'aws-marketplace:Subscribe is missing', 'not_activated'],
      [
        403,
        'AccessDeniedException',
        'This Model is marked by provider as Legacy and is not in use',
        'legacy',
      ],
      [404, 'ResourceNotFoundException', 'This Model is marked by provider as Legacy', 'legacy'],
      [
        404,
        'ResourceNotFoundException',
        'This model version has reached the end of its life.',
        'end_of_life',
      ],
      [403, 'UnrecognizedClientException', 'The security token is invalid', 'unauthorized'],
      [400, 'ExpiredTokenException', 'The security token is expired', 'unauthorized'],
      [400, 'InvalidSignatureException', 'The signature is expired', 'unauthorized'],
      [401, 'SomethingNew', 'no', 'unauthorized'],
      [403, 'SomethingNew', 'no', 'unauthorized'],
      [418, 'SomethingNew', 'no', 'rejected'],
    ])('%i %s (%s) is %s and not repeated', async (status, name, message, kind) => {
      bedrock.script.push([status, name, message]);
      await expect(bedrock.generate()).rejects.toMatchObject({ kind, retryable: false });
      expect(bedrock.seen).toHaveLength(1);
    });

    const endOfLife = (moment: number) => ({
      status: 'LEGACY',
      endOfLifeTime: new Date(moment).toISOString(),
    });
    const details = (modelLifecycle: object): Scripted => [
      200,
      {
        modelDetails: {
          modelArn: `arn:aws:bedrock:us-west-2::foundation-model/${core}`,
          modelId: core,
          modelLifecycle,
        },
      },
    ];
    it.each<readonly [string, Scripted, string]>([
      ['is active', details({ status: 'ACTIVE' }), 'not_activated'],
      ['is being retired', details({ status: 'LEGACY' }), 'legacy'],
      ['has still some time', details(endOfLife(Date.UTC(2026, 11))), 'legacy'],
      ['has reached its end', details(endOfLife(Date.UTC(2026, 9))), 'end_of_life'],
      ['is gone', [404, 'ResourceNotFoundException'], 'end_of_life'],
      ['cannot be looked up', [403, 'AccessDeniedException'], 'not_activated'],
    ])('about an unknown model is explained by its lifecycle: it %s', async (_, answer, kind) => {
      bedrock.lifecycle.answer = answer;
      for (const error of [
        [404, 'ResourceNotFoundException', 'Could not resolve the foundation model'],
        [400, 'ValidationException', 'The provided model identifier is invalid.'],
      ] as const) {
        bedrock.script.push(error);
        await expect(bedrock.generate()).rejects.toMatchObject({ kind, retryable: false });
      }
      expect(bedrock.seen).toHaveLength(2);
    });
  });

  it('names what the chosen model can do', async () => {
    expect(bedrock.generator.capability).toMatchObject({ seedMax: 4_294_967_295 });
    await start(sd35);
    expect(bedrock.generator.capability).toMatchObject({ seedMax: 4_294_967_294 });
    await start('stability.something-new-v9:0');
    expect(bedrock.generator.capability).toMatchObject({ imageToImage: false });
  });
});
