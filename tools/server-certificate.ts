/** Certificates of servers on this machine that are reached over TLS, as AWS is. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Has OpenSSL make one that is valid for a week.
 * @param hosts names beside 127.0.0.1, `*.` allowed in front
 * @returns its file and that of its key in the folder, as PEM
 */
export function serverCertificate(folder: string, hosts: readonly string[] = []) {
  const files = { certificateFile: join(folder, 'certificate.pem'), keyFile: join(folder, 'key.pem') };
  const names = ['IP:127.0.0.1', ...hosts.map((host) => `DNS:${host}`)].join(',');
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 7 -subj /CN=loopback'.split(
    ' ',
  );
  const about = [
    '-addext',
    `subjectAltName=${names}`,
    '-keyout',
    files.keyFile,
    '-out',
    files.certificateFile,
  ];
  execFileSync('openssl', ['req', ...kind, ...about], { stdio: 'pipe' });
  return files;
}
