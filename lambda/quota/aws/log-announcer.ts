/** Announcements as log lines, for a service without an event bus. */

import type { Telemetry } from '../../base/telemetry';
import type { Announcer } from '../usage/announcer';

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
