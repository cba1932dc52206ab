/** The OpenAI-compatible adapter over HTTP, against responses constructed from the API documentation. */

import type { IncomingHttpHeaders } from 'node:http';
import { readGeneratorSettings, type SettingsOfGenerator } from '../../../lambda/contract/generators';
import { aspectBuckets } from '../../../lambda/generation/generation-identity';
import type { GeneratorRequest } from '../../../lambda/generation/generator';
import {
  createOpenAiCompatible,
  type OpenAiCompatibleDeps,
} from '../../../lambda/generation/models/openai-compatible';
import { ask, describeGenerator } from '../../contracts/generator';
import { jpeg } from '../../fakes/images';
import { listenOnLoopback } from '../../fakes/loopback';

interface Answer {
  readonly status: number;
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

const errorOf = (status: number, code?: string, type = 'invalid_request_error', headers = {}): Answer => ({
  status,
  body: { error: { type, code: code ?? null, message: `about ${ask.words}`, param: null } },
  headers,
});

async function startServer(change: Record<string, unknown> = {}, deps: Partial<OpenAiCompatibleDeps> = {}) {
  const script: (Answer | 'hang' | 'hang up')[] = [];
  const seen: { url: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = [];
  const pauses: number[] = [];
  const fetched: unknown[][] = [];
  const image = await jpeg(64, 36);
  const { address, stop } = await listenOnLoopback(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    seen.push({
      url: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(text) as Record<string, unknown>,
    });
    const next: Answer | 'hang' | 'hang up' = script.shift() ?? {
      status: 200,
      body: { created: 1_795_000_000, data: [{ b64_json: image.toString('base64') }], usage: {} },
    };
    if (next === 'hang') return;
    if (next === 'hang up') return void response.destroy();
    const { status, body, headers = {} } = next;
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const settings = readGeneratorSettings({
    kind: 'openai-compatible',
    baseUrl: `${address}/v1/`,
    model: 'gpt-image-2',
    ...change,
  });
  const generator = createOpenAiCompatible(settings as SettingsOfGenerator<'openai-compatible'>, {
    readKey: async (name) => (name === 'openai' ? 'sk-secret' : undefined),
    fetchOriginal: async (...call) => {
      fetched.push(call.slice(0, 2));
      return { outcome: 'fetched', bytes: image };
    },
    clock: { nowMs: () => 0, sleep: async (delayMs) => void pauses.push(delayMs) },
    ...deps,
  });
  const generate = (part: Partial<GeneratorRequest> = {}) =>
    generator.generate({ ...ask, ...part }, new AbortController().signal);
  return { generator, generate, script, seen, pauses, fetched, address, stop };
}

describeGenerator('OpenAI-compatible', async () => {
  const { generator, script, stop } = await startServer();
  return {
    generator,
    refuse: () => void script.push(errorOf(400, 'moderation_blocked', 'image_generation_user_error')),
    hang: () => void script.push('hang'),
    stop,
  };
});

describe('an OpenAI-compatible server', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  const start = async (...given: Parameters<typeof startServer>) => {
    await server?.stop();
    server = await startServer(...given);
  };
  beforeEach(() => start());
  afterEach(() => server.stop());

  describe('is asked', () => {
    it('as GPT image models want it by default, with the unwanted things said in words', async () => {
      await server.generate();
      expect(server.seen).toMatchObject([{ url: '/v1/images/generations' }]);
      expect(server.seen[0]?.body).toEqual({
        model: 'gpt-image-2',
        prompt: `${ask.prompt} Leave out: text, watermark.`,
        n: 1,
        size: '1536x864',
      });
      expect(server.seen[0]?.headers.authorization).toBeUndefined();
      expect(server.seen[0]?.headers['content-type']).toBe('application/json');
      expect(server.generator.capability).toEqual({ imageToImage: false, aspectRatios: aspectBuckets });
    });

    it('in the dialect that the operator sets', async () => {
      await start({
        apiKeyName: 'openai',
        sizeMode: 'exact',
        longSidePx: 1000,
        sendSeed: true,
        sendNegativePrompt: true,
        sendResponseFormat: 'b64_json',
        extraBody: { quality: 'low', n: 2, steps: 20 },
      });
      await server.generate({ ratio: '21:9' });
      expect(server.seen[0]?.headers.authorization).toBe('Bearer sk-secret');
      expect(server.seen[0]?.body).toEqual({
        model: 'gpt-image-2',
        prompt: ask.prompt,
        negative_prompt: 'text, watermark',
        n: 2,
        size: '1000x429',
        seed: 12345,
        response_format: 'b64_json',
        quality: 'low',
        steps: 20,
      });
      expect(server.generator.capability).toMatchObject({ seedMax: 2_147_483_647 });
    });

    it('for sizes that GPT image models draw, for every ratio', async () => {
      for (const ratio of aspectBuckets) await server.generate({ ratio });
      // The nearest multiple of 16, not the one below.
      expect(server.seen[aspectBuckets.indexOf('4:5')]?.body['size']).toBe('1232x1536');
      for (const { body } of server.seen) {
        const [width = 0, height = 0] = String(body['size']).split('x').map(Number);
        expect([width % 16, height % 16]).toEqual([0, 0]);
        expect(Math.max(width / height, height / width)).toBeLessThanOrEqual(3);
        expect(width * height).toBeGreaterThanOrEqual(655_360);
        expect(width * height).toBeLessThanOrEqual(8_294_400);
      }
    });

    it('for the nearest of its sizes, or for none', async () => {
      await start({ sizeMode: 'list', sizes: ['1024x1024', '1536x1024', '1024x1536'] });
      for (const ratio of ['1:1', '21:9', '4:5', '9:16'] as const) await server.generate({ ratio });
      expect(server.seen.map(({ body }) => body['size'])).toEqual([
        '1024x1024',
        '1536x1024',
        '1024x1536',
        '1024x1536',
      ]);
      expect(server.generator.capability.aspectRatios).toEqual([]);
      await start({ sizeMode: 'omit' });
      await server.generate();
      expect(server.seen[0]?.body).not.toHaveProperty('size');
    });

    it('with another seed for each variation, within what every server takes', async () => {
      await start({ sendSeed: true });
      const seeds = [2_147_483_647, 2_147_483_648, 4_294_967_294];
      for (const seed of seeds) await server.generate({ seed });
      for (const variation of [1, 2]) await server.generate({ variation });
      const [largest, ...others] = server.seen.map(({ body }) => body['seed'] as number);
      expect([largest, ...others.slice(0, 2)]).toEqual([2_147_483_647, 0, 2_147_483_646]);
      expect(new Set([12345, ...others.slice(2)]).size).toBe(3);
      for (const seed of others) expect(seed).toBeLessThanOrEqual(2_147_483_647);
    });

    it('not while its key cannot be read, which may pass', async () => {
      await start(
        { apiKeyName: 'openai' },
        { readKey: () => Promise.reject(new Error('no answer from the store of sk-secret')) },
      );
      const failure = await server.generate().catch((error: unknown) => error);
      expect(failure).toMatchObject({ kind: 'unavailable', retryable: true });
      expect(String(failure)).not.toContain('sk-secret');
      expect(server.seen).toEqual([]);
    });

    it('never without a key that it needs', async () => {
      await start({ apiKeyName: 'forgotten' });
      await expect(server.generate()).rejects.toMatchObject({ kind: 'unauthorized' });
      expect(server.seen).toEqual([]);
    });
  });

  describe('may answer', () => {
    it('with the URL of the image, which is fetched from the same host only', async () => {
      const url = 'http://localhost:8080/generated-images/example.png';
      server.script.push({ status: 200, body: { created: 1, data: [{ url }] } });
      expect(await server.generate()).toMatchObject({ outcome: 'image', mediaType: 'image/jpeg' });
      expect(server.fetched).toEqual([[url, [new URL(server.address).host]]]);
    });

    it('with a URL on a host that the operator allows', async () => {
      await start({ imageHosts: ['cdn.example:8443'] });
      server.script.push({ status: 200, body: { data: [{ url: 'https://cdn.example:8443/x' }] } });
      await server.generate();
      expect(server.fetched).toEqual([['https://cdn.example:8443/x', ['cdn.example:8443']]]);
    });

    it('with the image as a data URL', async () => {
      const b64_json = `data:image/jpeg;base64,${(await jpeg(64, 36)).toString('base64')}`;
      server.script.push({ status: 200, body: { data: [{ b64_json }] } });
      expect(await server.generate()).toMatchObject({ outcome: 'image', mediaType: 'image/jpeg' });
    });

    it.each(['moderation_blocked', 'content_policy_violation', 'content_filter'])(
      'with a refusal by %s, as a code or as a type',
      async (reason) => {
        for (const refusal of [errorOf(400, reason), errorOf(400, undefined, reason)]) {
          server.script.push(refusal);
          expect(await server.generate()).toEqual({ outcome: 'refused', reason: 'moderation' });
        }
      },
    );

    it('with a URL whose image is not fetched in time: it may be billed, and is not asked for again', async () => {
      await start({}, { fetchOriginal: () => Promise.reject(new Error('too late')) });
      const elsewhere = { status: 200, body: { data: [{ url: 'http://localhost:8080/x' }] } };
      server.script.push(elsewhere);
      await expect(server.generate()).rejects.toMatchObject({ kind: 'unavailable', isUnbilled: false });
      expect(server.seen).toHaveLength(1);
    });

    it('with a URL that is not allowed, which is treated as no image', async () => {
      await start({}, { fetchOriginal: async () => ({ outcome: 'unusable', reason: 'not on the list' }) });
      server.script.push({ status: 200, body: { data: [{ url: 'http://169.254.169.254/' }] } });
      await expect(server.generate()).rejects.toMatchObject({ kind: 'malformed' });
    });

    it.each([
      ['an empty list', { data: [] }],
      ['nothing in the list', { data: [{}] }],
      ['no list', { data: 'x' }],
      ['a list of nothing', { data: [null] }],
      ['null', 'null'],
      ['a web page', '<html>Bad gateway</html>'],
      ['data that is not an image', { data: [{ b64_json: 'aGVsbG8=' }] }],
    ])('malformed, with %s', async (_, body) => {
      server.script.push({ status: 200, body });
      await expect(server.generate()).rejects.toMatchObject({ kind: 'malformed', retryable: false });
    });
  });

  describe('may fail', () => {
    it.each([
      [errorOf(429, 'insufficient_quota'), 'quota_exceeded'],
      [errorOf(402, undefined), 'quota_exceeded'],
      [errorOf(400, 'billing_hard_limit_reached'), 'quota_exceeded'],
      [errorOf(400, undefined, 'insufficient_quota'), 'quota_exceeded'],
      [errorOf(401, 'invalid_api_key'), 'unauthorized'],
      [errorOf(403, undefined), 'unauthorized'],
      [errorOf(404, 'model_not_found'), 'end_of_life'],
      [errorOf(410, 'model_deprecated'), 'end_of_life'],
      [errorOf(451, 'moderation_blocked'), 'rejected'],
      [errorOf(400, 'invalid_value', 'image_generation_user_error'), 'rejected'],
      [{ status: 400, body: '<html>' }, 'rejected'],
      [{ status: 400, body: { error: 'plain text' } }, 'rejected'],
    ] as const)('for good: %j is %s', async (answer, kind) => {
      server.script.push(answer);
      await expect(server.generate()).rejects.toMatchObject({ kind, retryable: false });
      expect(server.seen).toHaveLength(1);
    });

    it.each([
      [errorOf(429, 'rate_limit_exceeded'), 'throttled'],
      [errorOf(424, undefined), 'unavailable'],
      [errorOf(500, undefined), 'unavailable'],
      [errorOf(503, undefined), 'unavailable'],
    ] as const)('for a moment: after %j it is asked three times at most', async (answer, kind) => {
      server.script.push(answer, answer);
      expect(await server.generate()).toMatchObject({ outcome: 'image' });
      server.script.push(answer, answer, answer);
      await expect(server.generate()).rejects.toMatchObject({ kind, retryable: true });
      expect(server.pauses).toEqual([500, 1_000, 500, 1_000]);
    });

    it.each([errorOf(408, undefined), { status: 502, body: '<html>Bad gateway</html>' }, 'hang up' as const])(
      'without saying whether it has made an image: after %j it is asked no more',
      async (answer) => {
        server.script.push(answer);
        await expect(server.generate()).rejects.toMatchObject({ kind: 'unavailable', isUnbilled: false });
        expect(server.pauses).toEqual([]);
      },
    );

    it('where no connection is made: nothing was asked, so it is asked again', async () => {
      await start({ baseUrl: 'http://127.0.0.1:59999/v1' });
      await expect(server.generate()).rejects.toMatchObject({ kind: 'unavailable', isUnbilled: true });
      expect(server.pauses).toEqual([500, 1_000]);
    });

    it('by its own time, however long the caller waits', async () => {
      await start({ timeoutMs: 50 });
      server.script.push('hang');
      await expect(server.generate()).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('did not answer in time'),
      });
    });

    it('with an answer that is longer than any image', async () => {
      server.script.push({ status: 200, body: ' '.repeat(40_000_001) });
      await expect(server.generate()).rejects.toMatchObject({ message: 'The answer is too long' });
    });

    it('and say for how long: a short pause is waited for, a long one is not', async () => {
      server.script.push(errorOf(429, 'rate_limit_exceeded', 'requests', { 'retry-after': '3' }));
      expect(await server.generate()).toMatchObject({ outcome: 'image' });
      expect(server.pauses).toEqual([3_000]);
      server.script.push(errorOf(429, 'rate_limit_exceeded', 'requests', { 'retry-after': '60' }));
      await expect(server.generate()).rejects.toMatchObject({ kind: 'throttled', retryAfterMs: 60_000 });
      expect(server.seen).toHaveLength(3);
    });

    it('by sending the key elsewhere: a redirect is not followed', async () => {
      await start({ apiKeyName: 'openai' });
      const away = { status: 307, body: '', headers: { location: '/elsewhere' } };
      server.script.push(away);
      await expect(server.generate()).rejects.toMatchObject({ kind: 'unavailable' });
      expect(server.seen.map(({ url }) => url)).toEqual(['/v1/images/generations']);
    });

    it('without prompt or key in the message', async () => {
      await start({ apiKeyName: 'openai' });
      server.script.push(errorOf(400, 'invalid_value'));
      const failure = await server.generate().catch((error: Error) => error);
      expect(String(failure)).toMatch(/400 invalid_value$/);
      expect(String(failure)).not.toMatch(/lake|sk-/);
    });
  });
});
