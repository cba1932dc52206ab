/** The text of docs/performance.md: the results of one run, with its date and machine. */

import { functionNodeVersion } from '../../lambda/contract/functions';
import { type Composition, compositionText } from './composition';
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
export function recordOf(
  rows: readonly Row[],
  { platform, cores, node }: Machine,
  date: string,
  compositions: readonly Composition[],
): string {
  return `# Performance

Written by \`npm run bench -- --record\` on ${date}: ${platform}, ${cores} cores, Node.js ${node}, loopback only.
Ratios are comparable between machines, absolute values are not. Lambda runs Node.js ${functionNodeVersion}; \`npm run node24 -- --import tsx tools/bench/run.ts\` measures on it.

${tableOf(rows)}

Each ratio is the median of pairs that were measured one right after the other. The baselines:

- **The DynamoDB client alone**: \`client-dynamodb\` and \`lib-dynamodb\`, bundled with the same settings, including
  everything that they load lazily.
- **Hand-written**: the same response from a program of a few kilobytes that signs and sends its requests itself and
  validates nothing. It is a lower bound to measure against, not a way to build a service.
- **Cold start and first response**: a new process on both sides, without a connection. The functions connect while they
  initialise, with full CPU and before the first request.
- **First response, both connected**: the hand-written program opens as many connections while it starts as the function.
- **The same on free**: the service's own function with an event of the free plan, which has no usage break-down.
- **A bare server**: \`node:http\` that answers every request with the same redirect. The local service runs the gateway,
  the authorizer, the function and the database in one process.
- **Node's own signature**: of the same text, randomised. The service's signatures are deterministic, so that browsers
  can cache private images; each is computed once per hour.
- **sharp alone**: scaling, cropping to the centre and encoding with its defaults.

Where the verdict is "not comparable", the baseline does less than the service has to do: the ratio says how much more, and has no target.

## What the hot functions load at their start

From the bundler's metafile, minified, in KB:

${compositionText(compositions)}

## Before the lean DynamoDB transport

The same targets as measured on 2026-11-21 with AWS's SDK on the hot path ([decision 22](decisions/0022-one-dynamodb-transport.md)), Node.js v24.21.0:

| Measurement                               | Ratio before |
| ----------------------------------------- | -----------: |
| A known stock image loads                 |       305 KB |
| A key that is looked up loads             |       230 KB |
| Redirect, cold start and first response   |       3.07 × |
| Authorizer, cold start and first response |       2.67 × |
| Known stock image, logic alone            |       2.97 × |
| Known stock image with its one write      |       2.51 × |

## Before the local service called its tables in process

As measured on 2026-11-22, when each call went over a connection ([decision 27](decisions/0027-the-local-service.md)), Node.js v24.21.0:

| Measurement                                          | Ratio before | Measured | Unit      |
| ---------------------------------------------------- | -----------: | -------: | --------- |
| Local service, free key, 50 callers                  |    0.00776 × |      396 | per CPU s |
| Local service, free key, 50 callers                  |    0.00860 × |      232 | per s     |
| Local service, free key, 50 callers, 99 % within     |       76.6 × |      545 | ms        |
| Local service, business key, 50 callers              |    0.00520 × |      313 | per CPU s |
| Local service, business key, 50 callers              |    0.00312 × |      122 | per s     |
| Local service, business key, 50 callers, 99 % within |        257 × |      832 | ms        |

Those rounds began with a colder process: 100 requests before the first, where there are 1,500 now.
The logic alone and its hand-written baseline wrote a metric for each request, which both add up now.
`;
}
