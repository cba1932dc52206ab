/** The URLs that the service may redirect to or fetch. */

import { isAllowedUrl, isLoopbackHost } from '../../lambda/images/allowed-url';

const hosts = ['photos.example', '127.0.0.1:4010', 'localhost:4010', '[::1]:4010', '127.1.2.3'];

test.each([
  ['https://photos.example/a.jpg?w=1', true],
  ['https://PHOTOS.example:443/a.jpg', true],
  ['https://photos.example:8443/a.jpg', false],
  ['http://photos.example/a.jpg', false],
  ['ftp://photos.example/a.jpg', false],
  ['https://cdn.photos.example/a.jpg', false],
  ['https://photos.example.test/a.jpg', false],
  ['https://photos.example@other.test/a.jpg', false],
  ['https://user@photos.example/a.jpg', false],
  ['https://:secret@photos.example/a.jpg', false],
  ['//photos.example/a.jpg', false],
  ['photos.example', false],
  ['', false],
  ['http://127.0.0.1:4010/a.jpg', true],
  ['https://127.0.0.1:4010/a.jpg', true],
  ['http://127.0.0.1:4011/a.jpg', false],
  ['http://127.0.0.1/a.jpg', false],
  ['http://user@127.0.0.1:4010/a.jpg', false],
  ['http://localhost:4010/a.jpg', true],
  ['http://[::1]:4010/a.jpg', true],
  ['http://127.1.2.3/a.jpg', true],
  ['ftp://localhost:4010/a.jpg', false],
  ['http://10.0.0.1/a.jpg', false],
])('the URL %j is allowed: %j', (url, isAllowed) => expect(isAllowedUrl(url, hosts)).toBe(isAllowed));

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['[::1]', true],
  ['127.0.0.1.test', false],
  ['localhost.test', false],
  ['[::2]', false],
  ['0.0.0.0', false],
])('the host %j is this machine: %j', (host, isLoopback) => expect(isLoopbackHost(host)).toBe(isLoopback));
