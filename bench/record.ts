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
Run it yourself to compare: the ratios carry over to another machine, the figures beside them do not. Lambda runs
Node.js 24; \`node bin/with-node.mjs 24 -- npm run bench\` measures on it.

${tableOf(rows)}

Each ratio is the median of pairs that were measured one right after the other. What stands beside:

- **The DynamoDB client alone**: \`client-dynamodb\` and \`lib-dynamodb\`, bundled by the same settings, with everything
  they could ever load.
- **By hand**: the same answer from a program of a few kilobytes that signs and sends its requests itself, checks
  nothing and can do nothing else. It is a limit to measure against, not a way to build a service.
- **First answer after its start**: the functions make one read while they start, when the CPU is whole and nobody
  waits, so the connection to DynamoDB, the credentials and the compiled code are there when the first request comes.
- **A bare server**: \`node:http\` that answers every request with the same redirect. The local service runs the gateway,
  the authorizer, the function and the database in one process.
- **Node's own signature**: of the same text, with a random number in it. The service's signatures are the same every
  time, so that browsers can cache what they lead to; each is made once an hour.
- **sharp alone**: scaling and encoding with its defaults.
`;
}
