/** Announcements as events on an EventBridge bus; its client is loaded on first need, as that is twice a month. */

import { lazily } from '../../base/lazily';
import type { Telemetry } from '../../base/telemetry';
import type { Announcer } from '../usage/announce-usage';

/** What an operator's rules match on. */
const eventSource = 'image-redirect';
const usageEventType = 'Usage threshold reached';
const ceilingEventType = 'Generation ceiling threshold reached';

/** @param busName name of the bus; `default` is the account's own */
export function createEventBridgeAnnouncer(busName: string): Announcer {
  const loadPut = lazily(async () => (await import('./event-bridge')).connectEventBridge());
  return {
    async announce(announcement) {
      const put = await loadPut();
      await put({
        EventBusName: busName,
        Source: eventSource,
        DetailType: 'ceiling' in announcement ? ceilingEventType : usageEventType,
        Detail: JSON.stringify(announcement),
      });
    },
  };
}

/** Announcements as log records, where no event bus is configured. */
export function createLogAnnouncer(telemetry: Telemetry): Announcer {
  return {
    announce: async (announcement) =>
      telemetry.info(
        'ceiling' in announcement
          ? 'A generation ceiling threshold was reached'
          : 'A usage threshold was reached',
        { ...announcement },
      ),
  };
}
