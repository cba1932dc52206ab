/** Puts events on an EventBridge bus; imported on first need, as it brings the SDK's client. */

import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { currentSignal } from '../../base/request-deadline';
import { eventBusTimeoutMs } from '../../contract/timeouts';

/** @throws when the bus does not take the event, or not in time */
type PutEvent = (entry: PutEventsRequestEntry) => Promise<void>;

/** Two attempts for each event, both within `eventBusTimeoutMs`. */
export function connectEventBridge(): PutEvent {
  const client = new EventBridgeClient({ maxAttempts: 2 });
  return async (entry) => {
    const { Entries = [], FailedEntryCount } = await client.send(new PutEventsCommand({ Entries: [entry] }), {
      abortSignal: currentSignal(eventBusTimeoutMs),
    });
    if (FailedEntryCount) throw new Error(`The event bus refused an event: ${Entries[0]?.ErrorCode}`);
  };
}
