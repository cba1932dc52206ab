/** A time stamp authority (RFC 3161) on loopback, whose answers `openssl ts` makes. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Loopback, listenOnLoopback } from './loopback';

export interface TimeStampAuthority extends Loopback {
  /** What answers, instead of the authority, while it is set. */
  answer?: { readonly status: number; readonly body: Uint8Array } | undefined;
  /** Media types of the requests so far. */
  readonly requests: readonly (string | undefined)[];
  /** Its last answer. */
  readonly lastBody: Buffer;
  /** Certificates above its own that it sends; some 400 bytes each. */
  chainLength: number;
  /** Certificate of the root above it, PEM. */
  readonly root: string;
}

const configuration = `
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[stamps]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[tsa]
default_tsa = authority
[authority]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
`;

export async function createTimeStampAuthority(): Promise<TimeStampAuthority> {
  const cwd = mkdtempSync(join(tmpdir(), 'time-stamps-'));
  const openssl = (command: string) => execFileSync('openssl', command.split(' '), { cwd, stdio: 'pipe' });
  writeFileSync(join(cwd, 'tsa.cnf'), configuration);
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config tsa.cnf';
  openssl(`req -x509 ${key} -keyout root.key -out root.pem -days 2 -subj /O=Test/CN=Root -extensions root`);
  openssl(`req ${key} -keyout tsa.key -out tsa.csr -subj /O=Test/CN=Authority`);
  openssl(
    'x509 -req -in tsa.csr -CA root.pem -CAkey root.key -out tsa.pem -days 2 -extfile tsa.cnf -extensions stamps',
  );
  const requests: (string | undefined)[] = [];
  const server = await listenOnLoopback(async (request, response) => {
    requests.push(request.headers['content-type']);
    writeFileSync(join(cwd, 'query'), await buffer(request));
    const { status, body } = authority.answer ?? { status: 200, body: stamped() };
    response.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(body);
  });
  const root = readFileSync(join(cwd, 'root.pem'), 'utf8');
  const stamped = () => {
    writeFileSync(join(cwd, 'chain.pem'), root.repeat(authority.chainLength));
    openssl(
      'ts -reply -config tsa.cnf -queryfile query -signer tsa.pem -inkey tsa.key -chain chain.pem -out reply',
    );
    return authority.lastBody;
  };
  const authority: TimeStampAuthority = {
    ...server,
    requests,
    get lastBody() {
      return readFileSync(join(cwd, 'reply'));
    },
    chainLength: 1,
    root,
    async stop() {
      await server.stop();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
  return authority;
}
