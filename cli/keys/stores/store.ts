/** The tables of a local service or a stack, and its changes to the plans. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AwsPlace } from '../../explain';

export interface Store {
  readonly client: DynamoDBClient;
  /** Where errors of AWS happen; empty for a local service. */
  readonly place: AwsPlace;
  readonly apiKeysTable: string;
  readonly quotaCountersTable: string;
  /** The secret from which signers' secrets are derived. @throws `Failure`, and what the SDK throws */
  readonly readSignerMaster: () => Promise<string>;
  /** The operator's changes to the plans, as JSON; absent where there are none. */
  readonly plans?: string;
  /** Images that may be generated per day for all accounts; absent, or no number, for no ceiling. */
  readonly generationsPerDay?: string;
}
