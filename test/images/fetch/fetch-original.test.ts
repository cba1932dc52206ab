/** Originals are downloaded from allowed hosts only, must be images, and end in time. */

import type { lookup } from 'node:dns';
import type { RequestListener } from 'node:http';
import {
  type DownloadOptions,
  download,
  isPublicIp,
  lookUpPublicly,
} from '../../../lambda/images/fetch/download';
import { fetchOriginal } from '../../../lambda/images/fetch/fetch-original';
import { providerUrl } from '../../fakes/branded';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

jest.mock('../../../lambda/images/fetch/download', () => {
  const module = jest.requireActual('../../../lambda/images/fetch/download');
  return { ...module, download: jest.fn(module.download) };
});
const actual = jest.requireActual('../../../lambda/images/fetch/download');

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)]);
const never = new AbortController().signal;

describe('the original fetcher over HTTP', () => {
  let server: Loopback;
  let host: string;
  let asked: { url: string | undefined; headers: Record<string, unknown> }[];
  const answers: Record<string, RequestListener> = {
    '/image': (_, response) => response.end(png),
    '/moved': (_, response) => response.writeHead(302, { location: '/image' }).end(),
    '/astray': (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    '/home': (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    '/file': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    '/round': (_, response) => response.writeHead(302, { location: '/round' }).end(),
    '/page': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<html>'),
    '/svg': (_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>'),
    '/large': (_, response) => response.writeHead(200, { 'content-length': '2000' }).end(Buffer.alloc(2_000)),
    '/endless': (_, response) => {
      const more = () => response.writable && response.write(png, more);
      more();
    },
    '/broken': (_, response) => {
      response.writeHead(200, { 'content-length': '500' }).write(png);
      setImmediate(() => response.destroy());
    },
    '/gone': (_, response) => response.writeHead(404).end(),
    '/nowhere': (_, response) => response.writeHead(302).end(),
    '/unreadable': (_, response) => response.writeHead(302, { location: 'http://[' }).end(),
    '/late': (_, response) => response.writeHead(408).end(),
    '/busy': (_, response) => response.writeHead(429).end(),
    '/down': (_, response) => response.writeHead(500).end(),
    '/silent': () => undefined,
  };

  beforeAll(async () => {
    server = await listenOnLoopback((request, response) => {
      asked.push({ url: request.url, headers: request.headers });
      answers[request.url ?? '']?.(request, response);
    });
    host = new URL(server.address).host;
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => server?.stop());

  const fetch = (path: string, signal = never) =>
    fetchOriginal(
      { allowedLoopback: [host], bytesMax: 1_000, userAgent: 'me/1 (mail)' },
      server.address + path,
      [host],
      signal,
    );

  it('fetches an image and identifies the service', async () => {
    const fetched = await fetch('/image');
    expect(fetched.outcome).toBe('fetched');
    expect(asked[0]?.headers).toMatchObject({
      'user-agent': 'me/1 (mail)',
      accept: 'image/*',
      'accept-encoding': 'identity',
    });
  });

  it('follows a redirect on the list', async () => {
    expect((await fetch('/moved')).outcome).toBe('fetched');
  });

  it.each([
    ['/astray', 'the host is not on the list'],
    ['/home', 'the host is not on the list'],
    ['/file', 'the host is not on the list'],
    ['/round', 'too many redirects'],
    ['/page', 'this is no image'],
    ['/svg', 'this is no image'],
    ['/large', 'more than 1000 bytes'],
    ['/endless', 'more than 1000 bytes'],
    ['/gone', 'the status is 404'],
    ['/nowhere', 'the status is 302'],
    ['/unreadable', 'the redirect has no usable URL'],
  ])('finds %s unusable', async (path, reason) => {
    expect(await fetch(path)).toEqual({ outcome: 'unusable', reason });
  });

  it.each(['/broken', '/late', '/busy', '/down'])(
    'says of %s that it may be answered later',
    async (path) => {
      const because = 'unanswered';
      expect(await fetch(path)).toEqual({ outcome: 'unusable', reason: expect.any(String), because });
    },
  );

  it('says of a server that falls silent that it may answer later', async () => {
    const options = { headers: {}, bytesMax: 1_000, signal: never };
    expect(await download(providerUrl(`${server.address}/silent`), options, undefined, 20)).toEqual({
      outcome: 'unusable',
      reason: 'the connection stalled',
      because: 'unanswered',
    });
  });

  it.each([
    [png.length, 'downloaded'],
    [png.length - 1, 'unusable'],
  ])('of 108 bytes, where it may have %i, is %s', async (bytesMax, outcome) => {
    const options = { headers: {}, bytesMax, signal: never };
    const answer = await download(providerUrl(`${server.address}/image`), options);
    expect(answer.outcome).toBe(outcome);
  });

  it('ends when its signal aborts', async () => {
    const abort = new AbortController();
    const fetching = fetch('/silent', abort.signal);
    abort.abort(new Error('enough'));
    await expect(fetching).rejects.toThrow('enough');
  });

  it('fetches from the local machine only for a configured fake provider', async () => {
    expect(await fetchOriginal({ allowedLoopback: [] }, `${server.address}/image`, [host], never)).toEqual({
      outcome: 'unusable',
      reason: 'the host is on this machine',
    });
    expect(asked).toEqual([]);
  });
});

describe('the original fetcher before it connects', () => {
  const closed = { allowedLoopback: [] };
  afterEach(() => jest.mocked(download).mockImplementation(actual.download));

  const refused = async (url: string, allowedHosts: readonly string[]) => {
    let connections = 0;
    jest.mocked(download).mockImplementation(async () => {
      connections++;
      return { outcome: 'downloaded', bytes: png };
    });
    const { outcome } = await fetchOriginal(closed, url, allowedHosts, never);
    return outcome === 'unusable' && connections === 0;
  };

  it.each([
    ['http://images.example/a.jpg'],
    ['https://images.example:8443/a.jpg'],
    ['https://images.example.evil.example/a.jpg'],
    ['https://me:secret@images.example/a.jpg'],
    ['https://evil.example/images.example'],
    ['file:///etc/passwd'],
    ['no URL'],
  ])('refuses %s', async (url) => {
    expect(await refused(url, ['images.example'])).toBe(true);
  });

  it('refuses a literal private IP address, even one on the list', async () => {
    expect(await refused('https://10.0.0.1/a.jpg', ['10.0.0.1'])).toBe(true);
    expect(await refused('https://[fd00::1]/a.jpg', ['[fd00::1]'])).toBe(true);
  });

  it.each([
    [3, 'fetched'],
    [4, 'unusable'],
  ])('follows three redirects, relative ones too: %d of them, %s', async (redirects, outcome) => {
    let left = redirects;
    jest
      .mocked(download)
      .mockImplementation(async () =>
        left-- > 0 ? { outcome: 'redirected', location: '/next' } : { outcome: 'downloaded', bytes: png },
      );
    expect(
      await fetchOriginal(closed, 'https://images.example/a.jpg', ['images.example'], never),
    ).toMatchObject({
      outcome,
    });
  });

  it('downloads at most 30 million bytes', async () => {
    const bounds: number[] = [];
    jest.mocked(download).mockImplementation(async (_: string, { bytesMax }: DownloadOptions) => {
      bounds.push(bytesMax);
      return { outcome: 'downloaded', bytes: png };
    });
    await fetchOriginal(closed, 'https://images.example/a.jpg', ['images.example'], never);
    expect(bounds).toEqual([30_000_000]);
  });

  it('checks every redirect again', async () => {
    const visited: string[] = [];
    jest.mocked(download).mockImplementation(async (url: string, _: DownloadOptions) => {
      visited.push(url);
      return { outcome: 'redirected', location: '//elsewhere.example/b.jpg' };
    });
    expect(
      await fetchOriginal(closed, 'https://images.example/a.jpg', ['images.example'], never),
    ).toMatchObject({
      outcome: 'unusable',
    });
    expect(visited).toEqual(['https://images.example/a.jpg']);
  });
});

describe('the IP addresses a name may resolve to', () => {
  const resolving = (...addresses: string[]) =>
    new Promise<unknown>((resolve) => {
      const fake = ((_: string, __: unknown, callback: (error: null, all: unknown) => void) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )) as unknown as typeof lookup;
      lookUpPublicly(fake)('images.example', {}, (error, address) => resolve(error?.message ?? address));
    });

  it('are public', async () => {
    expect(await resolving('93.184.215.14')).toBe('93.184.215.14');
    expect(await resolving('10.0.0.8', '93.184.215.14')).toBe('93.184.215.14');
  });

  it('are what a connection really goes by: none is made for a name that leads into a private network', async () => {
    let connections = 0;
    const server = await listenOnLoopback((_, response) => {
      connections++;
      response.end(png);
    });
    const leading = (address: string) =>
      ((_: string, __: unknown, callback: (error: null, all: unknown) => void) =>
        callback(null, [{ address, family: 4 }])) as unknown as typeof lookup;
    const url = providerUrl(`http://images.example:${new URL(server.address).port}/`);
    const answer = await download(url, { headers: {}, bytesMax: 1_000, signal: never }, leading('127.0.0.1'));
    await server.stop();
    expect(answer).toEqual({ outcome: 'unusable', reason: 'the host has no public IP address' });
    expect(connections).toBe(0);
  });

  it('are never those of a private network', async () => {
    expect(await resolving('10.0.0.8', '169.254.169.254', '::1')).toBe('the host has no public IP address');
    expect(await resolving()).toBe('the host has no public IP address');
  });

  const open = (address: string) => [address, true] as const;
  const closed = (address: string) => [address, false] as const;
  it.each([
    // The last before each closed network, and the first behind it.
    ...['126.255.255.255', '128.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0'].map(
      open,
    ),
    ...[
      '169.253.255.255',
      '192.0.1.0',
      '192.88.98.255',
      '192.167.255.255',
      '198.17.255.255',
      '198.20.0.0',
    ].map(open),
    ...['198.51.101.0', '203.0.112.255', '223.255.255.255', '2001:200::', '2001:db9::', '2003::'].map(open),
    ...['3fff:1000::', '2620:0:861:ed1a::2:b', '8.8.8.8'].map(open),
    ...[
      '0.255.255.255',
      '10.255.255.255',
      '100.64.0.0',
      '100.127.255.255',
      '127.0.0.1',
      '127.255.255.255',
    ].map(closed),
    ...['169.254.169.254', '172.16.0.0', '172.31.255.255', '192.0.0.255', '192.0.2.255', '192.88.99.255'].map(
      closed,
    ),
    ...['192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.255', '203.0.113.255'].map(closed),
    ...['224.0.0.0', '255.255.255.255', '::', '::1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2001:1ff::'].map(
      closed,
    ),
    ...['2001:db8:ffff::', '2002:7f00:1::', '2002:ffff:ffff::1', '3fff:fff::', '4000::', 'fd00::1'].map(
      closed,
    ),
    ...['fe80::1', 'images.example', '127.1'].map(closed),
  ])('%s: public %s', (address, isPublic) => {
    expect(isPublicIp(address)).toBe(isPublic);
  });
});
