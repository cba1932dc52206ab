/** Leads programs to the emulated account: variables for AWS's tools, and a `fetch` for AWS's URLs. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { type Emulator, region } from './emulator';

/** Leads this process and the programs that it starts to the account, and to the Node.js of the functions. */
export function reachAccount({ port, certificateFile }: Emulator, nodeFolder: string, folder: string): void {
  for (const name of Object.keys(process.env))
    if (/^(AWS_|CDK_|E2E_|NODE_OPTIONS$)/.test(name)) delete process.env[name];
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `https://127.0.0.1:${port}`,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_CA_BUNDLE: certificateFile,
    NODE_EXTRA_CA_CERTS: certificateFile,
    NODE_NO_WARNINGS: '1',
    CDK_HOME: join(folder, 'cdk-home'),
    CI: 'true',
    PATH: `${nodeFolder}:${process.env['PATH']}`,
  });
  leadToAccount();
}

/** Replaces `fetch`: URLs of CloudFront and API Gateway are requested from the account. Redirects are not followed. */
function leadToAccount(): void {
  const originalFetch = globalThis.fetch;
  globalThis.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!/\.(cloudfront\.net|amazonaws\.com)$/.test(url.hostname)) return originalFetch(input, init);
    const call = request({
      host: '127.0.0.1',
      ca: readFileSync(process.env['NODE_EXTRA_CA_CERTS'] ?? ''),
      port: new URL(process.env['AWS_ENDPOINT_URL'] ?? '').port,
      servername: url.hostname,
      method: init.method ?? 'GET',
      path: url.pathname + url.search,
      headers: { accept: '*/*', ...Object.fromEntries(new Headers(init.headers)), host: url.host },
    });
    call.end(init.body);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const body = Buffer.concat(await response.toArray());
    const headers = new Headers();
    for (const [name, values] of Object.entries(response.headersDistinct))
      for (const value of values ?? []) headers.append(name, value);
    const status = response.statusCode ?? 0;
    return new Response(body.byteLength === 0 || status === 304 ? null : body, { status, headers });
  };
}

// For jest this file is a setup file.
if (process.env['JEST_WORKER_ID'] !== undefined) leadToAccount();
