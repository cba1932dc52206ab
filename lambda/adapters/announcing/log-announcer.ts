/** Announcements as log lines, for a service without an event bus. */

import type { Announcer } from '../../ports/announcer';
import type { Telemetry } from '../../ports/telemetry';

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
