/** The certificate of the emulated account: clients that trust it connect, and only for its names. */

import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { serverCertificate } from '../../lib/deploy-time/self-signed-certificate';

const { certificatePem, privateKeyPem } = serverCertificate(['localhost', '*.example.org'], Date.now());

it('names hosts and loopback, and nothing else', () => {
  const certificate = new X509Certificate(certificatePem);
  expect(certificate.checkHost('a.example.org')).toBe('*.example.org');
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkHost('example.com')).toBeUndefined();
  expect(certificate.verify(certificate.publicKey)).toBe(true);
});

it('is valid now and for a week', () => {
  const { validFrom, validTo } = new X509Certificate(certificatePem);
  expect(Date.parse(validFrom)).toBeLessThan(Date.now());
  expect((Date.parse(validTo) - Date.now()) / 86_400_000).toBeCloseTo(7, 0);
});

it('is accepted by a client that trusts it', async () => {
  const server = createServer({ cert: certificatePem, key: privateKeyPem }, (socket) => socket.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: '127.0.0.1', port, servername: 'b.example.org', ca: certificatePem });
  await once(client, 'secureConnect');
  expect(client.authorized).toBe(true);
  client.destroy();
  server.close();
});
