/** The certificate of the emulated account: clients that trust it connect, and only for its names. And that of manifests. */

import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { manifestCertificate, serverCertificate } from '../../lib/deploy-time/self-signed-certificate';

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

it('signs manifests for 20 years, which the specification asks of a certificate that signs nothing else', () => {
  const nowMs = Date.UTC(2026, 10, 26);
  const pem = manifestCertificate(nowMs).certificatePem;
  const { validFrom, validTo, ca, keyUsage, subject, raw } = new X509Certificate(pem);
  const days = [validFrom, validTo].map((at) => (Date.parse(at) - nowMs) / 86_400_000);
  expect(days).toEqual([-1, 20 * 365]);
  expect(subject).toBe('O=Image Redirect\nCN=Image Redirect content credentials');
  expect(ca).toBe(false);
  // E-mail protection.
  expect(keyUsage).toEqual(['1.3.6.1.5.5.7.3.4']);
  // Critical: no authority, and digital signature alone.
  for (const extension of ['0603551d130101ff04023000', '0603551d0f0101ff040403020780'])
    expect(raw.toString('hex')).toContain(extension);
  expect(new X509Certificate(manifestCertificate(nowMs).certificatePem).serialNumber).not.toBe(
    new X509Certificate(pem).serialNumber,
  );
});
