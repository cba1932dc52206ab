/** The text of docs/performance.md: the results of one run, with its date and machine. */

import type { Row } from './row';
import { tableOf } from './table';

export interface Machine {
  /** `linux x64` */
  readonly platform: string;
  readonly cores: number;
  /** `v24.21.0` */
  readonly node: string;
}

/** @param date ISO date of the run */
export function recordOf(rows: readonly Row[], { platform, cores, node }: Machine, date: string): string {
  return `# Performance

Written by \`npm run bench -- --record\` on ${date}: ${platform}, ${cores} cores, Node.js ${node}, loopback only.
Ratios are comparable between machines, absolute values are not. Lambda runs Node.js 24; \`node bin/with-node.mjs 24 -- npm run bench\` measures on it.

${tableOf(rows)}

Each ratio is the median of pairs that were measured one right after the other. The baselines:

- **The DynamoDB client alone**: \`client-dynamodb\` and \`lib-dynamodb\`, bundled with the same settings, including
  everything that they load lazily.
- **Hand-written**: the same response from a program of a few kilobytes that signs and sends its requests itself and
  validates nothing. It is a lower bound to measure against, not a way to build a service.
- **First response after its start**: the functions make one read while they initialise, with full CPU and before the
  first request, so that the connection to DynamoDB, the credentials and the compiled code are ready.
- **A bare server**: \`node:http\` that answers every request with the same redirect. The local service runs the gateway,
  the authorizer, the function and the database in one process.
- **Node's own signature**: of the same text, randomised. The service's signatures are deterministic, so that browsers
  can cache private images; each is computed once per hour.
- **sharp alone**: scaling and encoding with its defaults.
`;
}
