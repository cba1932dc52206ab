/** Sets the connections and attempts of all clients of AWS's SDK. */

import { Agent } from 'node:https';
import { awsTimes } from '../contract/timeouts';

/** Makes the settings of a client. After `idleMs` a connection is closed, as the other side may be gone. */
export const makeClientDefaults = (idleMs = 5_000) => ({
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: awsTimes.connectionMs,
    httpsAgent: new Agent({ keepAlive: true, maxSockets: Infinity, timeout: idleMs }),
    // Emulators speak HTTP. An agent of `node:http` in place of options costs every start 20 ms.
    httpAgent: { keepAlive: true, maxSockets: Infinity, timeout: idleMs },
  },
});
