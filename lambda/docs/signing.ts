/** The steps that sign a URL, for languages that have no signer in the client package. */

import { signedParameters } from '../contract/parameters';
import { routes } from '../contract/routes';
import { pathExtensions } from '../requests/rendition';
import { listExtensions } from './sentences';

/** The steps in their order, with code in backticks. A test follows them literally. */
export const signingSteps: readonly string[] = [
  `Parameters: those that the URL has of ${[...signedParameters].sort().join(', ')}; no others are signed. \`q\`, \`w\` and \`h\` are signed as query, width and height, and \`amp;\` before a name is dropped. In the path form, width, height and query stand in the path: percent-decode what follows \`${routes.image}/\` once as UTF-8, drop an extension at the end (${listExtensions(pathExtensions, 'or')} in either case), split it as \`{width}x{height}\`, a separator and the words, write each run of \`-\`, \`_\`, \`+\`, \`/\` and spaces in the words as one space, and remove a space at either end.`,
  'Values: percent-decoded once as UTF-8, `+` in the query string being a space, and not changed otherwise; then every byte except `A–Z a–z 0–9 - . _ ~` encoded as `%` and two upper-case hexadecimal digits.',
  'Canonical form: `name=value` of each parameter, sorted by name and joined by `&`. For a URL that several sizes share, sign `upto` (such as 1920x1080) and leave width and height out.',
  'Message: four lines joined by a line feed: `image-redirect/v1`, the id of the signer, `expires` in Unix seconds or an empty line, and the canonical form.',
  'Key: the 43 characters after `sgs_live_` or `sgs_test_` of the secret, decoded from base64url to 32 bytes. The last six characters are a checksum.',
  'Signature: the first 16 bytes of HMAC-SHA256(key, message) in base64url without padding, 22 characters. Append `signer`, `expires` if it was signed, and `signature` to the URL.',
];
