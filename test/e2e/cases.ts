/** The responses of every deployment: one table for the local service, the emulated and the real ones. */

/** A row of the table. `key` names which of the target's keys is sent, in the header by default. */
export interface Case {
  readonly promise: string;
  readonly path: string;
  readonly method?: string;
  readonly key?: 'live' | 'test';
  readonly keyIn?: 'query';
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Code of the problem document or card. */
  readonly code?: string;
  /** Pixels of the image behind `Location`. */
  readonly size?: readonly [number, number];
  /** Pixels of the card. */
  readonly cardSize?: readonly [number, number];
  /** Media type of the card, SVG by default. */
  readonly cardType?: string;
  /** Format of the image behind `Location`, as sharp calls it. */
  readonly format?: 'webp';
  readonly source?: string;
}

const image = { accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' };

type CaseDetails = Partial<Case>;
type Code = readonly [status: number, code: string];

/** An image of these pixels for the live key. */
const expectImage = (promise: string, path: string, size: Case['size'], details: CaseDetails = {}): Case => ({
  promise,
  path: `/api/image${path}`,
  key: 'live',
  status: 302,
  ...(size && { size }),
  ...details,
});
/** A problem document. */
const expectRefusal = (
  promise: string,
  path: string,
  [status, code]: Code,
  details: CaseDetails = {},
): Case => ({
  promise,
  path,
  status,
  code,
  ...details,
});
/** A card of these pixels for an image tag. */
const expectCard = (promise: string, path: string, code: Code, cardSize?: Case['cardSize']): Case =>
  expectRefusal(promise, path, code, { headers: image, ...(cardSize && { cardSize }) });

const live = { key: 'live' } as const;
const invalid: Code = [400, 'invalid_parameter'];
const conflict: Code = [400, 'conflicting_parameters'];
const badKey: Code = [401, 'invalid_api_key'];
const notFound: Code = [404, 'not_found'];
const notAllowed: Code = [405, 'method_not_allowed'];

export const cases: readonly Case[] = [
  expectImage('the query form redirects in the default size', '?query=mountain%20lake', [1920, 1080], {
    source: 'stock_a',
  }),
  expectImage('the path form redirects', '/640x480-mountain-lake', [640, 480]),
  expectImage('a slash separates words as a hyphen does', '/300x200-day/night', [300, 200]),
  expectImage(
    'an extension is no word, and names the format',
    '/300x200-mountain-lake.webp?provider=stock_b',
    [300, 200],
    { format: 'webp' },
  ),
  expectImage('the path form takes encoded letters', '/300x400-caf%C3%A9_terrace', [300, 400]),
  expectImage('a key in the query is as good as in the header', '/200x200-forest', [200, 200], {
    keyIn: 'query',
  }),
  expectImage('an unknown parameter is ignored', '/200x200-forest?_=123', [200, 200]),
  expectImage('a test key is served', '/200x200-desert', [200, 200], { key: 'test' }),
  expectImage(
    'an AI image is drawn for a test key',
    '/256x256-lighthouse?provider=ai&style=dark',
    [256, 256],
    {
      key: 'test',
      source: 'ai',
    },
  ),
  expectImage('format=json answers the record', '/200x200-forest?format=json', undefined, { status: 200 }),
  { promise: 'a preflight is answered', path: '/api/image', method: 'OPTIONS', status: 204 },
  {
    promise: 'a preflight may name any usual media type',
    path: '/api/images',
    method: 'OPTIONS',
    headers: { 'Content-Type': 'text/plain' },
    status: 204,
  },
  expectRefusal('a missing query is named', '/api/image', invalid, live),
  expectRefusal('a size out of bounds is refused, never clamped', '/api/image/4001x100-sea', invalid, live),
  expectRefusal('a broken percent sequence is refused', '/api/image/200x200-%C3', invalid, live),
  expectRefusal(
    'both forms at once contradict each other',
    '/api/image/200x200-sea?query=sea',
    conflict,
    live,
  ),
  expectRefusal('AI needs a key', '/api/image?query=sea&provider=ai', [401, 'authentication_required']),
  expectRefusal(
    'a key that was never issued is refused',
    '/api/image?query=sea&api_key=pk_live_nonsense',
    badKey,
  ),
  expectRefusal('an unknown image is not found', `/api/image/id/${'0'.repeat(32)}`, notFound, live),
  expectRefusal('an unknown path is not found', '/nowhere', notFound),
  expectRefusal('another method is not allowed', '/api/image?query=sea', notAllowed, { method: 'POST' }),
  expectCard(
    'an image tag gets a card, no document',
    '/api/image/300x200-sea?api_key=pk_live_nonsense',
    badKey,
  ),
  expectCard(
    'a broken percent sequence leaves the size as it is',
    '/api/image/640x300-50%',
    invalid,
    [640, 300],
  ),
  expectCard(
    'an image tag with a mistyped path keeps its size',
    '/API/image/300x200-day',
    notFound,
    [300, 200],
  ),
  expectRefusal(
    'a client that shows no SVG gets a PNG',
    '/api/image/300x200-sea?api_key=pk_live_nonsense',
    badKey,
    {
      headers: { accept: 'image/webp,image/png' },
      cardType: 'image/png',
    },
  ),
  expectCard(
    'an image tag with the path of the batch gets a card',
    '/api/images?query=sea&width=300&height=200',
    notAllowed,
    [300, 200],
  ),
];
