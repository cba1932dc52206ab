/** Certificates of servers on this machine that are reached over TLS, as AWS is. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Files of a certificate and its key, as PEM. */
export interface ServerCertificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/**
 * Has OpenSSL make one that is valid for a week.
 * @param hosts names, `*.` allowed in front; 127.0.0.1 is one of its own
 * @param folder where the files go
 */
export function serverCertificate(hosts: readonly string[], folder: string): ServerCertificate {
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const names = ['IP:127.0.0.1', ...hosts.map((host) => `DNS:${host}`)].join(',');
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '7'];
  const about = ['-subj', '/CN=loopback', '-addext', `subjectAltName=${names}`];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  execFileSync('openssl', ['req', ...kind, ...about, ...files], { stdio: 'pipe' });
  return { certificateFile, keyFile };
}
