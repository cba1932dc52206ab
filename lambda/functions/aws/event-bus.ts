/** Puts events on an EventBridge bus. */

import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { currentSignal } from '../../base/request-deadline';
import { eventBusTimeoutMs } from '../../contract/timeouts';
import type { ThresholdEvent } from '../../quota/usage/thresholds';

/**
 * Two attempts, both within `eventBusTimeoutMs`.
 * @param EventBusName `default` is the account's own
 * @throws when the bus does not take the event, or not in time
 */
export async function putEvent(EventBusName: string, { type, detail }: ThresholdEvent): Promise<void> {
  const entry = { EventBusName, Source: 'image-redirect', DetailType: type, Detail: JSON.stringify(detail) };
  const { Entries = [], FailedEntryCount } = await new EventBridgeClient({ maxAttempts: 2 }).send(
    new PutEventsCommand({ Entries: [entry] }),
    { abortSignal: currentSignal(eventBusTimeoutMs) },
  );
  if (FailedEntryCount) throw new Error(`The event bus refused an event: ${Entries[0]?.ErrorCode}`);
}
