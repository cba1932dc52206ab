/** The responses of every deployment: one table for the local service, the deployment test and real deployments. */

/** A row of the table. `key` names which of the target's keys is sent, in the header unless said otherwise. */
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
  /** Format of the image behind `Location`, as sharp calls it. */
  readonly format?: 'jpeg' | 'webp';
  readonly source?: string;
}

const image = { accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' };

export const cases: readonly Case[] = [
  {
    promise: 'the query form redirects in the default size',
    path: '/api/image?query=mountain%20lake',
    key: 'live',
    status: 302,
    size: [1920, 1080],
    source: 'stock_a',
  },
  {
    promise: 'the path form redirects',
    path: '/api/image/640x480-mountain-lake',
    key: 'live',
    status: 302,
    size: [640, 480],
  },
  {
    promise: 'a slash separates words as a hyphen does',
    path: '/api/image/300x200-day/night',
    key: 'live',
    status: 302,
    size: [300, 200],
  },
  {
    promise: 'an extension is no word, and names the format',
    path: '/api/image/300x200-mountain-lake.webp?provider=stock_b',
    key: 'live',
    status: 302,
    size: [300, 200],
    format: 'webp',
  },
  {
    promise: 'an extension has precedence over the formats that a browser accepts',
    path: '/api/image/300x200-mountain-lake.jpg?provider=stock_c',
    key: 'live',
    headers: image,
    status: 302,
    size: [300, 200],
    format: 'jpeg',
  },
  {
    promise: 'the path form takes encoded letters',
    path: '/api/image/300x400-caf%C3%A9_terrace',
    key: 'live',
    status: 302,
    size: [300, 400],
  },
  {
    promise: 'a key in the query is as good as in the header',
    path: '/api/image/200x200-forest',
    key: 'live',
    keyIn: 'query',
    status: 302,
    size: [200, 200],
  },
  {
    promise: 'the other slots answer under their own names',
    path: '/api/image/320x200-sea?provider=stock_b',
    key: 'live',
    status: 302,
    size: [320, 200],
  },
  {
    promise: 'the third slot answers',
    path: '/api/image/320x200-sea?provider=stock_c',
    key: 'live',
    status: 302,
    size: [320, 200],
  },
  {
    promise: 'the smallest size works',
    path: '/api/image/100x100-city',
    key: 'live',
    status: 302,
    size: [100, 100],
  },
  {
    promise: 'an unknown parameter is ignored',
    path: '/api/image/200x200-forest?_=123',
    key: 'live',
    status: 302,
    size: [200, 200],
  },
  {
    promise: 'a test key is served',
    path: '/api/image/200x200-desert',
    key: 'test',
    status: 302,
    size: [200, 200],
  },
  {
    promise: 'an AI image is drawn for a test key',
    path: '/api/image/256x256-lighthouse?provider=ai&style=dark',
    key: 'test',
    status: 302,
    size: [256, 256],
    source: 'ai',
  },
  {
    promise: 'format=json answers the record',
    path: '/api/image/200x200-forest?format=json',
    key: 'live',
    status: 200,
  },
  {
    promise: 'HEAD answers as GET does',
    path: '/api/image/200x200-forest',
    method: 'HEAD',
    key: 'live',
    status: 302,
  },
  { promise: 'a preflight is answered', path: '/api/image', method: 'OPTIONS', status: 204 },
  {
    promise: 'a missing query is named',
    path: '/api/image',
    key: 'live',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    promise: 'a size out of bounds is refused, never clamped',
    path: '/api/image/4001x100-sea',
    key: 'live',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    promise: 'a fraction is refused',
    path: '/api/image?query=sea&width=100.5',
    key: 'live',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    promise: 'a broken percent sequence is refused',
    path: '/api/image/200x200-%C3',
    key: 'live',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    promise: 'both forms at once contradict each other',
    path: '/api/image/200x200-sea?query=sea',
    key: 'live',
    status: 400,
    code: 'conflicting_parameters',
  },
  {
    promise: 'variation and alt exclude each other',
    path: '/api/image?query=sea&provider=ai&variation=1&alt=1',
    key: 'live',
    status: 400,
    code: 'conflicting_parameters',
  },
  {
    promise: 'AI needs a key',
    path: '/api/image?query=sea&provider=ai',
    status: 401,
    code: 'authentication_required',
  },
  {
    promise: 'a key that was never issued is refused',
    path: '/api/image?query=sea&api_key=pk_live_nonsense',
    status: 401,
    code: 'invalid_api_key',
  },
  {
    promise: 'an image tag gets a card instead of a document',
    path: '/api/image/300x200-sea?api_key=pk_live_nonsense',
    headers: image,
    status: 401,
    code: 'invalid_api_key',
  },
  {
    promise: 'an unknown image is not found',
    path: '/api/image/id/00000000000000000000000000000000',
    key: 'live',
    status: 404,
    code: 'not_found',
  },
  {
    promise: 'a faulty side takes the other one’s proportion',
    path: '/api/image/99x360-lake',
    headers: image,
    status: 400,
    code: 'invalid_parameter',
    cardSize: [640, 360],
  },
  {
    promise: 'a broken percent sequence in the words leaves the size as it is',
    path: '/api/image/640x300-50%',
    headers: image,
    status: 400,
    code: 'invalid_parameter',
    cardSize: [640, 300],
  },
  {
    promise: 'an image tag with a mistyped path keeps its size',
    path: '/API/image/300x200-day',
    headers: image,
    status: 404,
    code: 'not_found',
    cardSize: [300, 200],
  },
  { promise: 'an unknown path is not found', path: '/nowhere', status: 404, code: 'not_found' },
  {
    promise: 'another method is not allowed',
    path: '/api/image?query=sea',
    method: 'POST',
    status: 405,
    code: 'method_not_allowed',
  },
  {
    promise: 'an image tag with the path of the batch gets a card',
    path: '/api/images?query=sea&width=300&height=200',
    headers: image,
    status: 405,
    code: 'method_not_allowed',
    cardSize: [300, 200],
  },
  {
    promise: 'a preflight may name any usual media type',
    path: '/api/images',
    method: 'OPTIONS',
    headers: { 'Content-Type': 'text/plain' },
    status: 204,
  },
];
