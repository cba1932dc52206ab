/** Announcements as events on an EventBridge bus; the client is loaded on first need, as that is twice a month. */

import { eventBusTimeoutMs } from '../../contract/timeouts';
import type { Announcer } from '../../ports/announcer';

/** What an operator's rules match on. */
const eventSource = 'image-redirect';
const usageEventType = 'Usage threshold reached';

/** @param busName name of the bus; `default` is the account's own */
export function createEventBridgeAnnouncer(busName: string): Announcer {
  return {
    async announce(announcement) {
      const { EventBridgeClient, PutEventsCommand } = await import('@aws-sdk/client-eventbridge');
      const client = new EventBridgeClient({ maxAttempts: 2 });
      const entry = {
        EventBusName: busName,
        Source: eventSource,
        DetailType: usageEventType,
        Detail: JSON.stringify(announcement),
      };
      const { Entries = [], FailedEntryCount } = await client.send(
        new PutEventsCommand({ Entries: [entry] }),
        {
          abortSignal: AbortSignal.timeout(eventBusTimeoutMs),
        },
      );
      if (FailedEntryCount) throw new Error(`The event bus refused an event: ${Entries[0]?.ErrorCode}`);
    },
  };
}
