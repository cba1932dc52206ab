/** Writes the texts about credentials for all documents: the page, llms.txt, OpenAPI and docs/start.md. */

import { anonymousRequestsPerHour, testRequestsPerHour } from './plans';

export const credentialColumns = ['Credential', 'Form', 'Where it belongs', 'What counts'] as const;

/** A row for each kind of credential, with code in backticks. */
export const credentialRows: readonly (readonly string[])[] = [
  [
    'None',
    'the plain URL',
    'trials; stock images only',
    `${anonymousRequestsPerHour} requests an hour and IP address`,
  ],
  [
    'API key',
    '`Authorization: Bearer pk_…`',
    'secret: servers and build steps, never a page',
    `each request; with a test key (\`pk_test_…\`), ${testRequestsPerHour} an hour for free`,
  ],
  [
    'Signed URL',
    '`signer=sg_…`, `signature`, optional `expires`',
    'public pages; the secret `sgs_…` stays on the server or in the build step',
    'each image once a UTC day, however many see it',
  ],
  [
    'Site key',
    '`site=site_…`',
    'public pages of its origins, whose scripts may build URLs; stock images only',
    'as a signed URL, up to its own monthly cap',
  ],
];

/** Writes the table in Markdown. A function, so that bundles without a caller leave the table out. */
export const credentialTable = (): string =>
  [credentialColumns, ...credentialRows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
    .replace('\n', '\n|---|---|---|---|\n');

/** A sentence on the secret credential, and on the two for public pages. */
export const secrecyText = 'API keys (pk_…) stay secret: on a public page, use signed URLs or a site key.';

/** The headers that take a key, with code in backticks. */
export const keyHeadersText =
  'Programs send `Authorization: Bearer pk_…`, which HTTP clients drop when a redirect leaves the host. They do not drop `X-API-Key`: send it with `format=json`, or do not follow redirects.';

/** Who makes credentials, with code in backticks. */
export const ownerText =
  'An owner key makes keys and signers on `/account`, and site keys too by `POST /api/keys`.';
