/** What the image function builds at its start and its lazily loaded parts share. */

import type { Clock, Ids } from '../../base/clock';
import type { Cache, StockMemory } from '../../base/item-store';
import type { Telemetry } from '../../base/telemetry';
import type { Delivery } from '../../images/delivery';
import type { PickedImages } from '../../images/picked-images';
import type { Ledger } from '../../quota/ledger';
import type { QuotaCounters } from '../../quota/quota-counters';
import type { AnnounceUsage } from '../../quota/usage/at-thresholds';
import type { Curate, Curations } from '../../stock/curation';
import type { NoteUse } from '../../stock/uses';
import type { ConfigOf } from '../config';
import type { settings } from './settings';

/** What each start of the image function builds. */
export interface Wiring {
  readonly config: ConfigOf<typeof settings>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
  readonly counters: QuotaCounters;
  readonly stockMemory: StockMemory;
  readonly cache: Cache;
  readonly ledger: Ledger;
  readonly curations: Curations;
  readonly curate: Curate;
  readonly announceUsage: AnnounceUsage;
}

/** What is built on first need and shared by the parts that read secrets or deliver renditions. */
export interface SecretsWiring {
  readonly delivery: Delivery;
  readonly pickedImages: PickedImages;
  readonly noteUse: NoteUse;
  readonly readSecret: (secretId: string) => Promise<string>;
  /** The secret from which the keys of all signers are derived. */
  readonly readMaster: () => Promise<string>;
}
