/** Which credential belongs where, in four lines: for the documentation page, `openapi.json` and `llms.txt`. */

import { anonymousRequestsPerHour } from './plans';

interface CredentialTexts {
  readonly name: string;
  /** What it looks like, and how a request carries it. */
  readonly form: string;
  /** Where it may be. */
  readonly belongs: string;
  readonly counts: string;
}

/** Loaded where documentation is written only. */
export const credentialTexts: readonly CredentialTexts[] = [
  {
    name: 'None',
    form: 'the plain URL',
    belongs: 'trials and prototypes; stock images only',
    counts: `${anonymousRequestsPerHour} requests per hour and IP address`,
  },
  {
    name: 'API key',
    form: 'pk_live_… or pk_test_…, as Authorization: Bearer',
    belongs: 'secret: servers and build steps, never a page',
    counts: 'each request against the plan',
  },
  {
    name: 'Signed URL',
    form: 'signer=sg_…, signature, optional expires',
    belongs: 'public pages; the secret sgs_… that signs stays on the server or in the build step',
    counts: 'against the plan: each image once per UTC day',
  },
  {
    name: 'Site key',
    form: 'site=site_live_… or site_test_…',
    belongs:
      'publishable: pages of its origins, also those that build URLs in the browser; stock images only',
    counts: 'as a signed URL, up to a monthly cap of its own',
  },
];

/** The table in Markdown. */
export function credentialTable(): string {
  const rows = credentialTexts.map(
    ({ name, form, belongs, counts }) => `| ${name} | ${form} | ${belongs} | ${counts} |`,
  );
  return ['| Credential | Form | Where it belongs | What counts |', '|---|---|---|---|', ...rows].join('\n');
}
