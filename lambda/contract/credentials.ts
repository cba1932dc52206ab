/** The table of credentials in the documents of the service: which belongs where. */

import { anonymousRequestsPerHour } from './plans';

/** The columns of the table of credentials. */
export const credentialColumns = ['Credential', 'Form', 'Where it belongs', 'What counts'] as const;

/** A row for each kind of credential. */
export const credentialRows: readonly (readonly string[])[] = [
  [
    'None',
    'the plain URL',
    'trials and prototypes; stock images only',
    `${anonymousRequestsPerHour} requests per hour and IP address`,
  ],
  [
    'API key',
    'pk_live_… or pk_test_…, as Authorization: Bearer',
    'secret: servers and build steps, never a page',
    'each request against the plan',
  ],
  [
    'Signed URL',
    'signer=sg_…, signature, optional expires',
    'public pages; the secret sgs_… that signs stays on the server or in the build step',
    'against the plan: each image once per UTC day',
  ],
  [
    'Site key',
    'site=site_live_… or site_test_…',
    'publishable: pages of its origins, also those that build URLs in the browser; stock images only',
    'as a signed URL, up to a monthly cap of its own',
  ],
];

/** The table in Markdown. */
export const credentialTable = (): string =>
  [credentialColumns, credentialColumns.map(() => '---'), ...credentialRows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
