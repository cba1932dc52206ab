/** What a finished history is judged by. */

import type { MemoryDynamoDb } from '../dynamodb/memory-dynamodb';
import type { Outcome, ScriptedRequest, SignedView } from '../history';
import type { World } from '../world';
import type { Ledger } from './ledger';
import type { Receipts } from './receipts';

export interface Evidence {
  readonly engine: MemoryDynamoDb;
  readonly ledger: Ledger;
  readonly receipts: Receipts;
  readonly outcomes: readonly Outcome[];
  /** The requests that came with a signer. */
  readonly views: readonly SignedView[];
  readonly world: Pick<World, 'drawings' | 'shelf' | 'setting'>;
  readonly script: readonly ScriptedRequest[];
}
