/** Downloads of originals: their hosts, their contents, and their time. */

import type { lookup } from 'node:dns';
import type { RequestListener } from 'node:http';
import { downloadFile, isPublicIp, lookUpPublicly } from '../../../lambda/images/fetch/download';
import { fetchOriginal } from '../../../lambda/images/fetch/fetch-original';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { makeProviderUrl } from '../../fakes/values';

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)]);
const neverAborted = new AbortController().signal;
const options = { headers: {}, bytesMax: 1_000, signal: neverAborted };

let server: Loopback;
let host: string;
let requests: { url: string | undefined; headers: Record<string, unknown> }[];
const redirectTo =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end();
const makeAnswer =
  (status: number, body?: string | Buffer, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const answers: Record<string, RequestListener> = {
  '/image': makeAnswer(200, png),
  '/moved': redirectTo('/image'),
  '/thrice': redirectTo('/twice'),
  '/twice': redirectTo('/moved'),
  '/often': redirectTo('/thrice'),
  '/astray': redirectTo('http://169.254.169.254/latest'),
  '/elsewhere': redirectTo('//elsewhere.example/b.jpg'),
  '/page': makeAnswer(200, '<html>', { 'content-type': 'image/png' }),
  '/svg': makeAnswer(200, '<svg/>', { 'content-type': 'image/svg+xml' }),
  '/huge': makeAnswer(200, png, { 'content-length': '30000001' }),
  '/endless': (_, response) => {
    const writeMore = () => response.writable && response.write(png, writeMore);
    writeMore();
  },
  '/broken': (_, response) => {
    response.writeHead(200, { 'content-length': '500' }).write(png);
    setImmediate(() => response.destroy());
  },
  '/gone': makeAnswer(404),
  '/nowhere': makeAnswer(302),
  '/unreadable': redirectTo('http://['),
  '/late': makeAnswer(408),
  '/busy': makeAnswer(429),
  '/down': makeAnswer(500),
  '/silent': () => undefined,
};

beforeAll(async () => {
  server = await listenOnLoopback((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    answers[request.url ?? '']?.(request, response);
  });
  host = new URL(server.address).host;
});
beforeEach(() => {
  requests = [];
});
afterAll(() => server?.stop());

const fetch = (path: string, signal = neverAborted) =>
  fetchOriginal({ allowedLoopback: [host], userAgent: 'me/1 (mail)' }, server.address + path, [host], signal);

describe('fetchOriginal', () => {
  test('a request for an original has the `User-Agent` of the service', async () => {
    expect(await fetch('/image')).toMatchObject({ outcome: 'fetched' });
    const headers = { 'user-agent': 'me/1 (mail)', accept: 'image/*', 'accept-encoding': 'identity' };
    expect(requests).toMatchObject([{ headers }]);
  });

  test('an original is fetched after three redirects to listed hosts', async () => {
    expect((await fetch('/thrice')).outcome).toBe('fetched');
  });

  test.each([
    ['/often', 'too many redirects'],
    ['/astray', 'the host is not on the list'],
    ['/elsewhere', 'the host is not on the list'],
    ['/page', 'this is no image'],
    ['/svg', 'this is no image'],
    ['/huge', 'more than 30000000 bytes'],
    ['/gone', 'the status is 404'],
    ['/nowhere', 'the status is 302'],
    ['/unreadable', 'the redirect has no usable URL'],
  ])('an original at %s is unusable: %s', async (path, reason) => {
    expect(await fetch(path)).toEqual({ outcome: 'unusable', reason });
  });

  test.each(['/broken', '/late', '/busy', '/down'])(
    'an original at %s is unusable for a time',
    async (path) => {
      const reason = expect.any(String);
      expect(await fetch(path)).toEqual({ outcome: 'unusable', reason, isTemporary: true });
    },
  );

  test('an original is unusable for a time after its server falls silent', async () => {
    const unanswered = { outcome: 'unusable', reason: 'the connection stalled', isTemporary: true };
    expect(await downloadFile(makeProviderUrl(`${server.address}/silent`), options, undefined, 20)).toEqual(
      unanswered,
    );
  });

  test.each([
    ['/image', png.length, 'downloaded'],
    ['/image', png.length - 1, 'unusable'],
    ['/endless', 1_000, 'unusable'],
  ])('a download of %s with at most %i bytes ends as %s', async (path, bytesMax, outcome) => {
    const url = makeProviderUrl(server.address + path);
    expect((await downloadFile(url, { ...options, bytesMax })).outcome).toBe(outcome);
  });

  test('a download ends when its signal aborts', async () => {
    const abort = new AbortController();
    const fetching = fetch('/silent', abort.signal);
    abort.abort(new Error('enough'));
    await expect(fetching).rejects.toThrow('enough');
  });

  test.each([
    ['http://images.example/a.jpg', 'the host is not on the list'],
    ['no URL', 'the host is not on the list'],
    // These hosts are on the list.
    ['https://10.0.0.1/a.jpg', 'the IP address is not public'],
    ['https://[fd00::1]/a.jpg', 'the IP address is not public'],
    ['HERE/image', 'the host is on this machine'],
  ])('no request is sent for %s: %s', async (url, reason) => {
    const hosts = ['images.example', '10.0.0.1', '[fd00::1]', host];
    const fetched = fetchOriginal(
      { allowedLoopback: [] },
      url.replace('HERE', server.address),
      hosts,
      neverAborted,
    );
    expect(await fetched).toEqual({ outcome: 'unusable', reason });
    expect(requests).toEqual([]);
  });
});

describe('downloadFile', () => {
  const makeLookup = (...addresses: string[]) =>
    ((_: string, __: unknown, callback: (error: null, all: unknown) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as unknown as typeof lookup;

  test.each([
    [['93.184.215.14'], '93.184.215.14'],
    [['10.0.0.8', '93.184.215.14'], '93.184.215.14'],
    [['10.0.0.8', '169.254.169.254', '::1'], 'the host has no public IP address'],
    [[], 'the host has no public IP address'],
  ])('of the addresses %j, the connection uses %s', async (addresses, used) => {
    const resolved = await new Promise<unknown>((resolve) => {
      lookUpPublicly(makeLookup(...addresses))('images.example', {}, (error, address) =>
        resolve(error?.message ?? address),
      );
    });
    expect(resolved).toBe(used);
  });

  test('a host in a private network is not connected to', async () => {
    const url = makeProviderUrl(`http://images.example:${new URL(server.address).port}/image`);
    expect(await downloadFile(url, options, makeLookup('127.0.0.1'))).toEqual({
      outcome: 'unusable',
      reason: 'the host has no public IP address',
    });
    expect(requests).toEqual([]);
  });

  // The last address before each closed network, and the first address after it.
  const open =
    '126.255.255.255 128.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 169.253.255.255 192.0.1.0 ' +
    '192.88.98.255 192.167.255.255 198.17.255.255 198.20.0.0 198.51.101.0 203.0.112.255 223.255.255.255 2001:200:: ' +
    '2001:db9:: 2003:: 3fff:1000:: 2620:0:861:ed1a::2:b 8.8.8.8';
  const closed =
    '0.255.255.255 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.0 ' +
    '172.31.255.255 192.0.0.255 192.0.2.255 192.88.99.255 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.255 ' +
    '203.0.113.255 224.0.0.0 255.255.255.255 :: ::1 ::ffff:8.8.8.8 64:ff9b::7f00:1 2001:1ff:: 2001:db8:ffff:: ' +
    '2002:7f00:1:: 2002:ffff:ffff::1 3fff:fff:: 4000:: fd00::1 fe80::1 images.example 127.1';
  test.each([
    [open, true],
    [closed, false],
  ])('the addresses %s are public: %s', (addresses, isPublic) => {
    for (const address of addresses.split(' '))
      expect([address, isPublicIp(address)]).toEqual([address, isPublic]);
  });
});
