/** The arguments of every group of rows. */

import type { DynamoDbStandIn } from '../loopback/dynamodb-stand-in';
import type { Row } from '../row';

export interface Bench {
  readonly standIn: DynamoDbStandIn;
}

/** Measures one group; bounded in count and in time. */
export type Measure = (bench: Bench) => Promise<readonly Row[]>;
