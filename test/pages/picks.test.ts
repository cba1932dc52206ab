/** Contact sheets and decisions: what is drawn, charged, recorded and refused, on fakes. */

import type { Change } from '../../lambda/base/change-log';
import { hourWindow } from '../../lambda/base/window';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { HttpRequest } from '../../lambda/http/http-request';
import type { HttpResult } from '../../lambda/http/http-response';
import { RendererBusy } from '../../lambda/images/renderer';
import { answerPicks, choosableBy, type PicksDeps, type SheetView } from '../../lambda/pages/picks';
import type { StockRequest } from '../../lambda/requests/image-request';
import type { Decided } from '../../lambda/stock/choose-image';
import type { ContactSheet, SheetImage } from '../../lambda/stock/contact-sheet';
import { accountId, providerUrl } from '../fakes/branded';
import { aContext, generousLedger } from '../fakes/request-context';
import { anImage } from '../fakes/stock';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const caller: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'pro', keyId: 'key_1' };
const rateLimit = { limit: 10, remaining: 9, window: hourWindow(nowMs) };
const pick = (number: number) => String(number).repeat(20);

function imageOf(number: number, change: Partial<SheetImage> = {}): SheetImage {
  return {
    number,
    pick: pick(number),
    slot: 'stock_b',
    candidate: {
      id: String(number),
      sourceUrl: `https://example.org/${number}.jpg`,
      widthPx: 3_000,
      heightPx: 2_000,
      attribution: anImage.attribution,
      description: { rank: 1, title: 'A lake' },
    },
    fit: 'partial',
    thumbnail: {
      kind: 'remote',
      url: providerUrl(`https://example.org/${number}-small.jpg`),
      allowedHosts: [],
    },
    isHotlinked: false,
    ...change,
  };
}

interface Scripted {
  readonly sheet?: ContactSheet | Error;
  readonly jpegs?: readonly (string | null)[] | Error;
  readonly charge?: Awaited<ReturnType<PicksDeps['ledger']['charge']>>;
  readonly decided?: Decided;
  readonly known?: 'photo' | 'ai';
  readonly photos?: StockRequest['photos'];
  readonly admission?: HttpRequest['admission'];
}

/** Answers one request. */
async function ask(
  method: string,
  values: object,
  { sheet, jpegs, charge, decided, known, photos, admission }: Scripted = {},
) {
  const searched: StockRequest[] = [];
  const drawn: unknown[] = [];
  const settled: unknown[] = [];
  const changes: unknown[] = [];
  const logged: Change[] = [];
  const listed: unknown[] = [];
  let refunds = 0;
  const view = {
    query: 'lake',
    provider: 'stock_a',
    orientation: null,
    chosen: pick(2),
    refused: [pick(3)],
  } as const;
  const ledger = generousLedger(rateLimit);
  const deps: PicksDeps = {
    makeSheet: async (request) => {
      searched.push(request);
      if (sheet instanceof Error) throw sheet;
      return sheet ?? { outcome: 'found', cache: 'MISS', images: [1, 2, 3].map((number) => imageOf(number)) };
    },
    drawSheet: async (job, deadlineMs) => {
      drawn.push({ ...job, deadlineMs });
      if (jpegs instanceof Error) throw jpegs;
      return jpegs ?? job.images.map(({ number }) => `jpeg${number}`);
    },
    chooseImage: {
      change: async (...change) => {
        changes.push(change);
        return decided ?? { outcome: 'decided', view };
      },
      read: async () => view,
      list: async (...asked) => {
        listed.push(asked);
        return { picks: [], next: null };
      },
    },
    curate: {
      lastSeen: (request) => request,
      current: async (request) => ({ ...request, ...(photos && { photos }), removed: [pick(9)] }),
    },
    choosable: async () => known,
    recordChange: async (by, change) => {
      expect(by).toBe(caller);
      logged.push(change);
    },
    ledger: {
      ...ledger,
      charge: async (context) => charge ?? ledger.charge(context),
      refund: async () => {
        refunds += 1;
        return { state: 'refunded', rateLimit: { ...rateLimit, remaining: 10 } };
      },
    },
    recordUsage: () => ({
      expect: () => undefined,
      settle: async (outcomes) => void settled.push(...outcomes),
    }),
    contextOf: () => aContext(caller, nowMs),
    nowMs: () => nowMs,
  };
  const isPosted = method === 'POST';
  const request = {
    method,
    admission: admission ?? { outcome: 'known', caller },
    header: (name: string) => (isPosted && name === 'content-type' ? 'application/json' : undefined),
    query: isPosted
      ? {}
      : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat().map(String)])),
    body: { text: isPosted ? JSON.stringify(values) : null, isBase64: false },
    startedMs: nowMs,
  } as unknown as HttpRequest;
  let result: HttpResult | undefined;
  let error: unknown;
  try {
    result = await answerPicks(deps, request);
  } catch (thrown) {
    error = thrown;
  }
  const json =
    result && 'body' in result && !result.isBase64
      ? (JSON.parse(String(result.body)) as SheetView)
      : undefined;
  return { result, error, json, searched, drawn, settled, changes, logged, listed, refunds };
}

describe('a contact sheet', () => {
  it('lists each image as its account sees it, and records where it came from', async () => {
    const { json, settled, refunds, result, drawn, searched } = await ask('GET', { query: 'lake' });
    expect(json).toMatchObject({ orientation: 'landscape', chosen: pick(2), refused: [pick(3)] });
    expect(json?.candidates[0]).toEqual({
      number: 1,
      pick: pick(1),
      thumbnail: 'data:image/jpeg;base64,jpeg1',
      width: 3_000,
      height: 2_000,
      alt: 'A lake',
      title: 'A lake',
      fit: 'partial',
      credit: anImage.attribution.creditLine,
      chosen: false,
      refused: false,
    });
    expect(json?.candidates.map(({ chosen, refused }) => [chosen, refused])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
    expect([settled, refunds]).toEqual([[{ source: 'stock_b', cache: 'MISS' }], 0]);
    expect(result).toMatchObject({ status: 200, headers: { 'X-RateLimit-Remaining': '9' } });
    const thumbnail = { kind: 'remote', url: 'https://example.org/1-small.jpg' };
    expect(drawn).toMatchObject([
      {
        kind: 'sheet',
        isWhole: false,
        deadlineMs: nowMs + 25_000,
        images: [{ number: 1, source: thumbnail }, {}, {}],
      },
    ]);
    expect(searched).toEqual([
      {
        query: 'lake',
        provider: 'stock_a',
        seed: '',
        filters: {},
        widthPx: 1_200,
        heightPx: 800,
        asJson: true,
        removed: [pick(9)],
      },
    ]);
  });

  it.each([
    ['portrait', 800, 1_200],
    ['square', 1_000, 1_000],
  ])(
    'is searched in the orientation %s, slot and language that are asked for',
    async (orientation, widthPx, heightPx) => {
      const photos = { version: 3 } as unknown as StockRequest['photos'];
      const { searched } = await ask(
        'GET',
        { query: 'See', orientation, provider: 'stock_c', lang: 'de' },
        { photos },
      );
      expect(searched).toMatchObject([
        { query: 'See', provider: 'stock_c', filters: { lang: 'de' }, widthPx, heightPx, photos },
      ]);
    },
  );

  it('describes an image as the judge saw it, or by its texts, and leaves out what is not known', async () => {
    const { attribution } = anImage;
    const bare = { id: '1', sourceUrl: '', attribution, description: { rank: 1 } };
    const images = [
      imageOf(1, {
        candidate: {
          ...bare,
          description: { rank: 1, alt: 'Water' },
          verdict: { alt: 'A lake at dawn' } as never,
        },
      }),
      imageOf(2, { candidate: bare }),
    ];
    const { json } = await ask(
      'GET',
      { query: 'lake' },
      { sheet: { outcome: 'found', cache: 'HIT', images } },
    );
    expect(json?.candidates.map(({ alt, title, width, height }) => [alt, title, width, height])).toEqual([
      ['A lake at dawn', null, null, null],
      [null, null, null, null],
    ]);
  });

  it('links thumbnails that their provider delivers, draws the others, and leaves out what cannot be loaded', async () => {
    const images = [
      imageOf(1, { isHotlinked: true }),
      imageOf(2),
      imageOf(3),
      imageOf(4, { isHotlinked: true, thumbnail: { kind: 'drawing', words: 'lake', seed: '' } }),
    ];
    const sheet = { outcome: 'found', cache: 'HIT', images } as const;
    const { json, drawn } = await ask('GET', { query: 'lake' }, { sheet, jpegs: ['two', null, 'four'] });
    expect(json?.candidates.map(({ number, thumbnail }) => [number, thumbnail])).toEqual([
      [1, 'https://example.org/1-small.jpg'],
      [2, 'data:image/jpeg;base64,two'],
      [4, 'data:image/jpeg;base64,four'],
    ]);
    expect(drawn).toMatchObject([{ images: [{ number: 2 }, { number: 3 }, { number: 4 }] }]);
  });

  it('asks the renderer for nothing where all are linked', async () => {
    const images = [imageOf(1, { isHotlinked: true })];
    const { json, drawn } = await ask(
      'GET',
      { query: 'lake' },
      { sheet: { outcome: 'found', cache: 'HIT', images } },
    );
    expect([json?.candidates.length, drawn]).toEqual([1, []]);
  });

  it('is one JPEG of all of them on request', async () => {
    const sheet = {
      outcome: 'found',
      cache: 'HIT',
      images: [imageOf(1, { isHotlinked: true }), imageOf(2)],
    } as const;
    const { result, drawn } = await ask(
      'GET',
      { query: 'lake', format: 'image' },
      { sheet, jpegs: ['whole'] },
    );
    expect(result).toEqual({
      status: 200,
      headers: expect.objectContaining({
        'Content-Type': 'image/jpeg',
        'Cache-Control': 'no-store',
        'X-RateLimit-Remaining': '9',
      }),
      body: 'whole',
      isBase64: true,
    });
    expect(drawn).toMatchObject([{ isWhole: true, images: [{ number: 1 }, { number: 2 }] }]);
    expect((await ask('GET', { query: 'lake', format: 'image' }, { sheet, jpegs: [] })).result).toMatchObject(
      { body: '' },
    );
  });

  const unavailable = { code: 'upstream_unavailable' } as const;
  it.each<[string, Scripted, string, number]>([
    ['there are no images', { sheet: { outcome: 'none' } as ContactSheet }, 'no_image_found', 10],
    [
      'no provider answers',
      { sheet: { outcome: 'unavailable', refusal: unavailable } },
      'upstream_unavailable',
      10,
    ],
    ['none can be loaded', { jpegs: [null, null, null] }, 'upstream_unavailable', 10],
  ])('is given back where %s', async (_, scripted, code, remaining) => {
    const { result, settled, refunds } = await ask('GET', { query: 'lake' }, scripted);
    expect(result).toMatchObject({ refusal: { code }, rateLimit: { remaining } });
    expect([settled, refunds]).toEqual([[{ refused: code }], 1]);
  });

  it('is given back and recorded as a fault where the search or the renderer fails', async () => {
    const busy = await ask('GET', { query: 'lake' }, { jpegs: new RendererBusy('no free instance') });
    expect(busy.result).toMatchObject({
      refusal: { retryAfterS: expect.any(Number) },
      rateLimit: { remaining: 10 },
    });
    expect(busy.refunds).toBe(1);
    const failed = await ask('GET', { query: 'lake' }, { sheet: new Error('no table') });
    expect(failed.error).toMatchObject({ name: 'FaultAfterCharge' });
    expect([failed.refunds, failed.settled]).toEqual([1, [{ refused: 'internal_error' }]]);
  });

  it('is not made for a caller whose quota is used up', async () => {
    const refusal = { code: 'quota_exceeded', rateLimit } as const;
    const { result, searched, settled, refunds } = await ask(
      'GET',
      { query: 'lake' },
      { charge: { outcome: 'refused', refusal } },
    );
    expect(result).toEqual({ refusal });
    expect([searched, settled, refunds]).toEqual([[], [{ refused: 'quota_exceeded' }], 0]);
  });
});

describe('a decision', () => {
  const { account } = caller;
  it.each<[string, string, object, Scripted, object, object]>([
    [
      'chooses a photo',
      'POST',
      { pick: pick(5) },
      { known: 'photo' },
      { kind: 'choose', pick: pick(5) },
      { action: 'pick.chosen', id: pick(5) },
    ],
    [
      'chooses an AI image',
      'POST',
      { pick: pick(5) },
      { known: 'ai' },
      { kind: 'choose', pick: pick(5), isAi: true },
      { action: 'pick.chosen', id: pick(5) },
    ],
    [
      'chooses by number',
      'POST',
      { seed: 3 },
      {},
      { kind: 'choose', pick: pick(3) },
      { action: 'pick.chosen', id: pick(3) },
    ],
    [
      'refuses',
      'POST',
      { refuse: pick(5) },
      { known: 'ai' },
      { kind: 'refuse', pick: pick(5) },
      { action: 'pick.refused', id: pick(5) },
    ],
    [
      'undoes a refusal',
      'DELETE',
      { refuse: pick(5) },
      {},
      { kind: 'undo', pick: pick(5) },
      { action: 'pick.undone', id: pick(5) },
    ],
    ['undoes all', 'DELETE', { pick: '' }, {}, { kind: 'undo', pick: undefined }, { action: 'pick.undone' }],
  ])('%s, and is logged', async (_, method, values, scripted, change, entry) => {
    const words = { query: 'lake', provider: 'stock_b', orientation: 'square' } as const;
    const { result, json, changes, logged, searched } = await ask(method, { ...words, ...values }, scripted);
    // The number is that of the sheet which the same words have.
    const square = { provider: 'stock_b', widthPx: 1_000, heightPx: 1_000 };
    expect(searched).toMatchObject('seed' in values ? [square] : []);
    expect(result).toMatchObject({ status: 200 });
    expect(json).toMatchObject({ chosen: pick(2) });
    expect(changes).toEqual([[account, words, change, nowMs + 25_000]]);
    expect(logged).toEqual([{ ...entry, account, query: 'lake' }]);
  });

  it.each<[string, object, Scripted, string]>([
    ['of an image that is not known', { pick: pick(5) }, {}, 'not_found'],
    ['of a number that no image has', { seed: 4 }, {}, 'no_image_found'],
    [
      'of a number where nothing is found',
      { seed: 1 },
      { sheet: { outcome: 'none' } as ContactSheet },
      'no_image_found',
    ],
    [
      'that changes nothing',
      { refuse: pick(5) },
      { known: 'photo', decided: { outcome: 'nothing' } },
      'not_found',
    ],
    [
      'beyond the bound of an account',
      { pick: pick(5) },
      { known: 'photo', decided: { outcome: 'full' } },
      'too_many_picks',
    ],
    [
      'while others change it',
      { pick: pick(5) },
      { known: 'photo', decided: { outcome: 'busy' } },
      'rate_limited',
    ],
  ])('%s is refused and not logged', async (_, values, scripted, code) => {
    const { result, logged } = await ask('POST', { query: 'lake', ...values }, scripted);
    expect(result).toMatchObject({ refusal: { code } });
    expect(logged).toEqual([]);
  });
});

it('lists from a cursor', async () => {
  expect((await ask('GET', {})).listed).toEqual([[caller.account, '']]);
  const { listed, searched, result } = await ask('GET', { cursor: '' });
  expect([listed, searched, result]).toEqual([
    [[caller.account, '']],
    [],
    expect.objectContaining({ status: 200 }),
  ]);
});

describe('a request that is refused', () => {
  const query = 'lake';
  const slots = 'one of stock_a, stock_b, stock_c';
  const pickBounds = expect.stringMatching(/20/);
  it.each<[string, string, object, string, unknown]>([
    ['without words', 'DELETE', {}, 'query', expect.any(String)],
    [
      'for another orientation',
      'GET',
      { query, orientation: 'wide' },
      'orientation',
      'one of landscape, portrait, square',
    ],
    ['for AI', 'POST', { query, provider: 'ai', seed: 1 }, 'provider', slots],
    ['in another format', 'GET', { query, format: 'png' }, 'format', 'json or image'],
    ['for another page of the list', 'GET', { cursor: '1' }, 'cursor', 'next of the page before, or empty'],
    ['for the list, of AI', 'GET', { provider: 'ai' }, 'provider', slots],
    ['in no language', 'GET', { query, lang: '' }, 'lang', 'a BCP 47 tag, such as pt-BR'],
    ['for a list of a query', 'GET', { query, cursor: '' }, 'cursor', 'absent beside query'],
    ['with words given twice', 'GET', { query: ['a', 'b'] }, 'query', 'must be given only once'],
    ['without a decision', 'POST', { query }, 'pick', 'exactly one of pick, seed, refuse'],
    [
      'with two decisions',
      'POST',
      { query, seed: 1, refuse: pick(1) },
      'refuse',
      'exactly one of pick, seed, refuse',
    ],
    ['for seed 21', 'POST', { query, seed: 21 }, 'seed', 'a whole number from 1 to 20'],
    ['for seed 0', 'POST', { query, seed: 0 }, 'seed', 'a whole number from 1 to 20'],
    ['for a seed in letters', 'POST', { query, seed: 'two' }, 'seed', 'a whole number from 1 to 20'],
    ['for no pick', 'POST', { query, pick: 'x' }, 'pick', pickBounds],
    ['to refuse no pick', 'DELETE', { query, refuse: 'x' }, 'refuse', pickBounds],
    ['with a body that is a list', 'POST', [], 'body', 'a JSON object'],
    ['with a body that is null', 'POST', null as unknown as object, 'body', 'a JSON object'],
    ['with a body that is a number', 'POST', 1 as unknown as object, 'body', 'a JSON object'],
  ])('%s names the parameter and its bounds', async (_, method, values, parameter, bounds) => {
    const { result, changes, settled } = await ask(method, values);
    expect(result).toEqual({ refusal: { code: 'invalid_parameter', faults: [{ parameter, bounds }] } });
    expect([changes, settled]).toEqual([[], []]);
  });

  it.each(['GET', 'POST', 'DELETE'])('by %s without a key ends before anything is read', async (method) => {
    const admission = { outcome: 'known', caller: { kind: 'anonymous' } } as const;
    const { result, searched, listed } = await ask(method, { query }, { admission });
    expect(result).toMatchObject({ refusal: { code: 'authentication_required' } });
    expect([searched, listed]).toEqual([[], []]);
  });
});

describe('an image that may be chosen', () => {
  const choosable = (value: object | undefined, isOwnAi = false) =>
    choosableBy(
      { pickedImages: { photo: async () => value && ({ value } as never) }, mayChoose: async () => isOwnAi },
      pick(1),
      caller.account,
    );
  it.each<[string, object | undefined, boolean, string | undefined]>([
    ['a photo of a provider', { provider: 'openverse' }, false, 'photo'],
    ['a photo that is gone', { provider: 'openverse', isGone: true }, true, undefined],
    ['a photograph of the operator', { provider: 'library' }, false, 'photo'],
    ['a photograph of its own', { provider: `library-${caller.account}` }, false, 'photo'],
    ['a photograph of another account', { provider: 'library-acc_other' }, true, undefined],
    ['an AI image of its own', undefined, true, 'ai'],
    ['an image of nobody', undefined, false, undefined],
  ])('%s', async (_, value, isOwnAi, kind) => expect(await choosable(value, isOwnAi)).toBe(kind));
});
