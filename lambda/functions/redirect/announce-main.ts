/** Wires what announces a usage threshold, which one request in many thousands reaches; loaded on first need. */

import { createEventBridgeAnnouncer } from '../../adapters/announcing/event-bridge-announcer';
import { createLogAnnouncer } from '../../adapters/announcing/log-announcer';
import type { Database } from '../../adapters/dynamodb/call';
import { createUsageMarks } from '../../adapters/dynamodb/quota/usage-marks';
import { createAnnounceUsage } from '../../usecases/usage/announce-usage';
import type { AnnounceUsage } from '../../usecases/usage/at-thresholds';
import type { Wiring } from './wiring';

export function wireAnnouncing(
  wiring: Pick<Wiring, 'config' | 'clock' | 'ids' | 'telemetry'>,
  db: Database,
): AnnounceUsage {
  const { EVENT_BUS: bus, QUOTA_COUNTERS_TABLE: tableName } = wiring.config;
  const announcer =
    bus === undefined ? createLogAnnouncer(wiring.telemetry) : createEventBridgeAnnouncer(bus);
  return createAnnounceUsage({ ...wiring, ledger: createUsageMarks(db, tableName), announcer });
}
