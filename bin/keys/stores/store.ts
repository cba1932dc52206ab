/** What a place (a local service, a stack) tells of its tables. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export interface Store {
  readonly client: DynamoDBClient;
  readonly apiKeysTable: string;
  readonly quotaCountersTable: string;
  /** The operator's changes to the plans, as JSON; absent where there are none or nobody says. */
  readonly plans?: string;
}
