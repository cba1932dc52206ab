/** What the image function builds at its start and its lazily loaded parts share. */

import type { Clock, Ids } from '../../ports/clock';
import type { Delivery } from '../../ports/delivery';
import type { LookupCache } from '../../ports/lookup-cache';
import type { QuotaCounters } from '../../ports/quota-counters';
import type { Telemetry } from '../../ports/telemetry';
import type { Meter } from '../../usecases/metering/meter';
import type { AnnounceUsage } from '../../usecases/usage/at-thresholds';
import type { ConfigOf } from '../config';
import type { settings } from './settings';

export interface Wiring {
  readonly config: ConfigOf<typeof settings>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
  readonly counters: QuotaCounters;
  readonly lookups: LookupCache;
  readonly meter: Meter;
  readonly announceUsage: AnnounceUsage;
}

/** What is built on first need and shared by the parts that read secrets or deliver renditions. */
export interface SecretsWiring {
  readonly delivery: Delivery;
  readonly readSecret: (secretId: string) => Promise<string>;
}
