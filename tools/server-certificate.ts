/** Makes certificates for servers on this machine that stand for AWS's. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Makes a certificate with OpenSSL, valid for a week.
 * @param hosts names beside 127.0.0.1, with `*.` in front where they are wildcards
 * @returns the PEM files in the folder
 */
export function makeServerCertificate(folder: string, hosts: readonly string[] = []) {
  const files = { certificateFile: join(folder, 'certificate.pem'), keyFile: join(folder, 'key.pem') };
  const { certificateFile, keyFile } = files;
  const names = ['IP:127.0.0.1', ...hosts.map((host) => `DNS:${host}`)].join(',');
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 7 -subj /CN=loopback';
  const output = ['-addext', `subjectAltName=${names}`, '-keyout', keyFile, '-out', certificateFile];
  execFileSync('openssl', ['req', ...kind.split(' '), ...output], { stdio: 'pipe' });
  return files;
}
