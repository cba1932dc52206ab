/** A judge that looks at candidates, from the running service: what it is asked, and what its answer decides. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import type { ImageRecord } from '../../lambda/images/record';
import { subjectOf } from '../../local/fake-providers/photos';
import { type RunningService, startService } from './local-service';

jest.setTimeout(90_000);

interface Text {
  readonly type: string;
  readonly text: string;
}

interface Picture {
  readonly type: string;
  readonly image_url: { readonly url: string };
}

interface Asked {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly temperature: number;
    readonly extra: boolean;
    readonly messages: readonly [
      { readonly role: string },
      { readonly role: string; readonly content: readonly [Text, Picture] },
    ];
    readonly response_format: { readonly type: string; readonly json_schema: object };
  };
}

describe('with a judge', () => {
  const asked: Asked[] = [];
  let answer: (images: number) => unknown;
  let server: Server;
  let service: RunningService;

  const verdict = { fit: 'exact', has: [], focal: { x: 0.5, y: 0.5 }, calm: 'left' };

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString();
      const body = JSON.parse(text) as Asked['body'];
      asked.push({ authorization: request.headers.authorization, body });
      const [, user] = body.messages;
      const [{ text: data }] = user.content;
      const content = JSON.stringify(answer(JSON.parse(data).images));
      response.end(JSON.stringify({ choices: [{ message: { content } }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    service = await startService(
      ['--memory', '--fake-providers', '--bind', 'stock_a=pexels,stock_b=pixabay'],
      {
        OPENAI_API_KEY: 'sk-judge',
        JUDGE: JSON.stringify({
          kind: 'openai-compatible',
          baseUrl,
          model: 'eye-1',
          apiKeyName: 'openai',
          extraBody: { extra: true },
        }),
      },
    );
    // What draws the candidates is loaded by the first request.
    answer = () => ({ images: [{ n: 1, ...verdict }], alt: 'x' });
    await record('first of all');
  });
  afterAll(async () => {
    await service?.stop();
    server?.close();
  });
  /** What the judge was asked about some words; under load a question may come after its answer is of use. */
  const questionsAbout = (query: string) =>
    asked.filter(({ body }) => JSON.parse(body.messages[1].content[0].text).query === query);

  const record = async (query: string, more = '') => {
    const url = `${service.url}/api/image?query=${encodeURIComponent(query)}&format=json&width=600&height=400${more}`;
    const response = await fetch(url, { headers: { 'X-API-Key': service.keys.pro.live } });
    expect(response.status).toBe(200);
    return (await response.json()) as ImageRecord;
  };

  it('asks once for each query, with a sheet of numbered candidates, and shows what it put first', async () => {
    answer = () => ({ images: [{ n: 3, ...verdict }], alt: 'Ein Leuchtturm am Meer' });
    const shown = await record('lighthouse coast');
    expect(shown).toMatchObject({
      judged: true,
      copySpace: 'left',
      fit: 'exact',
      alt: 'Ein Leuchtturm am Meer',
      // What it is asked to write where no language is named.
      altLang: 'en',
    });
    expect(await record('leuchtturm', '&lang=de')).toMatchObject({ judged: true, altLang: 'de' });
    expect((await record('lighthouse coast', '&crop=top')).pick).toBe(shown.pick);
    const questions = questionsAbout('lighthouse coast');
    expect(questions).toHaveLength(1);
    const [{ authorization, body }] = questions as [Asked];
    expect(authorization).toBe('Bearer sk-judge');
    expect(body).toMatchObject({ model: 'eye-1', temperature: 0, extra: true });
    expect(body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'judgement', strict: true },
    });
    const [system, user] = body.messages;
    expect([system.role, user.role]).toEqual(['system', 'user']);
    const [data, picture] = user.content;
    expect(JSON.parse(data.text)).toMatchObject({ query: 'lighthouse coast', lang: null, images: 8 });
    const sheet = Buffer.from(picture.image_url.url.replace('data:image/jpeg;base64,', ''), 'base64');
    const { width, height } = await sharp(sheet).metadata();
    expect([width, height]).toEqual([1_280, 640]);
  });

  it('lets the rules decide when the answer does not count, and does not ask again', async () => {
    answer = () => ({ images: [{ n: 99, ...verdict }], alt: 'x' });
    expect(await record('harbour boats')).toMatchObject({ judged: false, copySpace: null });
    await record('harbour boats', '&seed=2');
    expect(questionsAbout('harbour boats')).toHaveLength(1);
  });

  it('leaves out what shows people where they are to be avoided', async () => {
    answer = (images) => ({
      images: Array.from({ length: images }, (_, index) => ({
        n: index + 1,
        ...verdict,
        has: index === 0 ? ['people'] : [],
      })),
      alt: 'A market',
    });
    const [open, avoiding] = [await record('market square'), await record('market square', '&avoid=people')];
    expect(avoiding.pick).not.toBe(open.pick);
  });

  it('takes a side on which a text shall stand, and no other word', async () => {
    answer = (images) => ({
      images: Array.from({ length: images }, (_, index) => ({
        n: index + 1,
        ...verdict,
        calm: index === 4 ? 'bottom' : 'none',
      })),
      alt: 'Dunes',
    });
    expect((await record('dunes', '&space=bottom')).copySpace).toBe('bottom');
    const wrong = await fetch(`${service.url}/api/image?query=dunes&space=none`);
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('space')]);
  });
});

describe('with fake models, which read pixels', () => {
  const nouns = 'lake forest bridge castle';
  const queries = nouns.split(' ').map((noun) => `fakelie ${noun}`);
  const fake = '{"kind":"fake"}';
  const bindings = ['--memory', '--fake-providers', '--bind', 'stock_a=pexels,stock_b=openverse'];
  let service: RunningService;

  beforeAll(async () => {
    const models = { JUDGE: fake, REWRITER: fake, JUDGEMENTS_PER_DAY: String(queries.length + 4) };
    service = await startService(bindings, models);
    // What draws the candidates is loaded by the first request.
    await record('first of all');
  });
  afterAll(() => service?.stop());

  const record = async (query: string, more = '', size = '300x200') => {
    const [width, height] = size.split('x');
    const address = `${service.url}/api/image?query=${encodeURIComponent(query)}&format=json&width=${width}&height=${height}${more}`;
    return (await (
      await fetch(address, { headers: { 'X-API-Key': service.keys.pro.live } })
    ).json()) as ImageRecord;
  };
  /** What an image shows, as its fake provider draws it. */
  const shown = ({ url }: ImageRecord) => subjectOf(/pexels-photo-([\w-]+)/.exec(url)?.[1])?.words;
  const questions = async () => {
    const { requests } = (await (await fetch(`${service.fakeModelUrl}/_requests`)).json()) as {
      requests: readonly object[];
    };
    return requests.length;
  };

  it('shows the right image of queries whose first title lies, for one question each', async () => {
    const before = await questions();
    for (const query of queries) {
      const answer = await record(query, '&crop=center');
      expect([shown(answer), answer.fit, answer.judged]).toEqual([query, 'exact', true]);
    }
    await record(queries[0] as string, '&crop=center&seed=2', '600x400');
    expect(await questions()).toBe(before + queries.length);
  });

  it('keeps a head that a crop in the middle would cut', async () => {
    const { url } = await record('fakehead lake', '&crop=faces', '200x600');
    const { data } = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer()))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const magenta = Array.from(
      { length: 200 },
      (_, x) =>
        Array.from({ length: 600 }, (__, y) => [
          ...data.subarray((y * 200 + x) * 3, (y * 200 + x) * 3 + 3),
        ]).filter(([red = 0, green = 0, blue = 0]) => red > 180 && green < 90 && blue > 180).length,
    );
    // A disc of 36 pixels radius, whole: as wide as it is high, and clear of both edges.
    expect(magenta.filter((height) => height > 0).length).toBeGreaterThan(66);
    expect([magenta[0], magenta[199]]).toEqual([0, 0]);
  });

  it('searches with what the rewriter makes of a prompt, and asks neither beyond the bound of the day', async () => {
    const before = await questions();
    const prompt = 'quiet wrzosowisko and its zagajnik near a jarzębina with warm lights over a meadow';
    await record(prompt, '&provider=stock_b');
    expect(await questions()).toBe(before + 2);
    const answer = await record('fakelie cathedral');
    expect(await questions()).toBe(before + 2);
    // What the titles say.
    expect([shown(answer), answer.fit, answer.judged]).toEqual(['gravel', 'exact', false]);
  });
});
