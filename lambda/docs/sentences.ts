/** Holds the sentences that several documents of the service share. Code in them is in backticks. */

import { anonymousRequestsPerHour, testRequestsPerHour } from '../contract/plans';
import { testOutcomes, testValues } from '../contract/test-values';
import { formatsByExtension, ignoredExtensions } from '../requests/rendition';
import { makeTextTable, type TextTable } from './text-table';

/** Lists extensions in a sentence, such as `.png, .gif and .svg`. */
export function listExtensions(extensions: readonly string[], conjunction: 'and' | 'or'): string {
  const dottedExtensions = extensions.map((extension) => `\`.${extension}\``);
  return `${dottedExtensions.slice(0, -1).join(', ')} ${conjunction} ${dottedExtensions.at(-1)}`;
}

/** Explains the words of a path, and its extension. */
export const pathText = `\`-\`, \`_\`, \`+\`, \`/\` and spaces separate words. At the end, ${listExtensions(Object.keys(formatsByExtension), 'and')} set the format of images that the service makes itself; ${listExtensions(ignoredExtensions, 'and')} are dropped, and \`Accept\` sets it.`;

/** Explains the short names of parameters, and unknown names. */
export const otherNamesText =
  '`q`, `w` and `h` stand for `query`, `width` and `height`. Unknown names are ignored. `X-Image-Note` lists them with the nearest known names.';

/** Explains the two forms of an error, a document and a card. */
export const errorText =
  'Errors are problem documents (RFC 9457). An image tag receives a card of the requested size with the same status and text. Only errors of API Gateway itself, such as its throttle, have no card.';

/** Makes the table of the kinds of credentials. Bundles drop a function that is not called. */
export const makeCredentialTable = (): TextTable =>
  makeTextTable(
    'Credential | Form | Where it belongs | What counts',
    `None | the plain URL | trials; stock images only | ${anonymousRequestsPerHour} requests an hour and IP address`,
    `API key | \`Authorization: Bearer pk_…\` | secret: servers and build steps, never a page | each request; with a test key (\`pk_test_…\`), ${testRequestsPerHour} an hour for free`,
    'Signed URL | `signer=sg_…`, `signature`, optional `expires` | public pages; the secret `sgs_…` stays on the server or in the build step | each image once a UTC day, however many see it',
    'Site key | `site=site_…` | public pages of its origins, whose scripts may build URLs; stock images only | as a signed URL, up to its own monthly cap',
  );

/** Explains the two headers that take a key, and what HTTP clients do with them at a redirect. */
export const keyHeadersText =
  'Programs send `Authorization: Bearer pk_…`, which HTTP clients drop when a redirect leaves the host. They do not drop `X-API-Key`: send it with `format=json`, or do not follow redirects.';

/** Says who may make credentials, and where. */
export const ownerText =
  'An owner key makes keys and signers on `/account`, and site keys too by `POST /api/keys`.';

/** Lists all test values with their outcomes. */
export function writeTestValues(): string {
  const outcomes = testValues.map((value) => `test:${value} (${testOutcomes[value]})`).join(', ');
  return `With test keys, and in the sandbox, these queries give an outcome free of charge: ${outcomes}.`;
}
