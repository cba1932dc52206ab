/** Makes certificates for servers on this machine that replace AWS's servers. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Creates a certificate with OpenSSL, valid for a week.
 * @param hosts names in addition to 127.0.0.1; `*.` in front stands for any subdomain
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
