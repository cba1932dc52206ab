/** Wires what announces a usage threshold, which one request in many thousands reaches; loaded on first need. */

import type { Database } from '../../aws/dynamodb/call';
import { createEventBridgeAnnouncer, createLogAnnouncer } from '../../quota/aws/announcers';
import { createUsageMarks } from '../../quota/dynamodb/usage-marks';
import { createAnnounceUsage } from '../../quota/usage/announce-usage';
import type { AnnounceUsage } from '../../quota/usage/at-thresholds';
import type { Wiring } from './wiring';

/** Announces as events, or in the log where no event bus is configured. */
export function wireAnnouncing(
  wiring: Pick<Wiring, 'config' | 'clock' | 'ids' | 'telemetry'>,
  db: Database,
): AnnounceUsage {
  const { EVENT_BUS: bus, QUOTA_COUNTERS_TABLE: tableName } = wiring.config;
  const announcer =
    bus === undefined ? createLogAnnouncer(wiring.telemetry) : createEventBridgeAnnouncer(bus);
  return createAnnounceUsage({ ...wiring, store: createUsageMarks(db, tableName), announcer });
}
