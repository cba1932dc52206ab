/** Bounds the connections and attempts of all clients of AWS's SDK in one place. */

import { Agent } from 'node:https';
import { awsTimes } from '../contract/timeouts';

/**
 * Returns the settings of clients: one attempt for each command, since stores decide what is repeated.
 * Connections have no bound: a call that waits for one uses up its time unsent.
 * @param idleMs a connection that rested for longer is closed: while Lambda had frozen the instance, the
 * other side may have forgotten it, and a charge that is written to it has no known outcome
 */
export const clientDefaults = (idleMs = 5_000) => ({
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: awsTimes.connectionMs,
    httpsAgent: new Agent({ keepAlive: true, maxSockets: Infinity, timeout: idleMs }),
    // Emulators speak HTTP. An agent of `node:http` in place of options costs every start 20 ms.
    httpAgent: { keepAlive: true, maxSockets: Infinity, timeout: idleMs },
  },
});
