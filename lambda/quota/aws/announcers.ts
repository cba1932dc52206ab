/** Announcements as events on an EventBridge bus. */

import type { Telemetry } from '../../base/telemetry';
import type { Announcer } from '../usage/announce-usage';
import { connectEventBridge } from './event-bridge';

/** What an operator's rules match on. */
const eventSource = 'image-redirect';
const usageEventType = 'Usage threshold reached';
const ceilingEventType = 'Generation ceiling threshold reached';

/** @param busName name of the bus; `default` is the account's own */
export function createEventBridgeAnnouncer(busName: string): Announcer {
  const put = connectEventBridge();
  return {
    async announce(announcement) {
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
