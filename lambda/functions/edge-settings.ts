/** What a function behind the API reads from its environment about the CloudFront distribution before it. */

import { optionalText, optionalUrl } from './config';

/** Both are absent where callers reach the API itself. */
export const edgeSettings = { ORIGIN_LOCK: optionalText, ROOT_URL: optionalUrl('https:', 'http:') } as const;
