/** Bounds the connections and attempts of all clients of AWS's SDK in one place. */

import { Agent } from 'node:https';
import { awsTimes } from '../contract/timeouts';

/**
 * Returns the settings of clients: one attempt for each command, and connections without a bound. A connection
 * that rested for longer than `idleMs` is closed, as the other side may have forgotten it meanwhile.
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
