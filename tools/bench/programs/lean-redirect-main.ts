/** A hand-written redirect function: the minimal cost of a response over the network. */

import { connectByHand } from './lean-dynamodb';
import { createLeanRedirect } from './lean-redirect';

const environment = process.env as Record<string, string>;
const bindings = JSON.parse(environment['SLOT_BINDINGS'] as string) as Record<string, string>;

/** Answers for a known stock image, over the tables of the environment. */
export const handler = createLeanRedirect({
  call: connectByHand(environment),
  counters: environment['QUOTA_COUNTERS_TABLE'] as string,
  cache: environment['CACHE_TABLE'] as string,
  bindings: Object.values(bindings).join('+'),
  write: (line) => process.stderr.write(line),
});
