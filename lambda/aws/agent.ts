/** How AWS's clients connect: what all of them are made with. */

import { Agent } from 'node:https';
import { awsTimes } from '../contract/timeouts';

/**
 * One attempt for each command, because the stores decide what is repeated. Without a bound on connections: a call that
 * waited for one would use up its time without having been sent.
 * @param idleMs a connection that rested for longer is closed and not used again: while Lambda had frozen the instance, the
 * other side may have forgotten it, and a charge that is written to such a connection has no known outcome
 */
export const clientDefaults = (idleMs = 5_000) => ({
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: awsTimes.connectionMs,
    httpsAgent: new Agent({ keepAlive: true, maxSockets: Infinity, timeout: idleMs }),
    // For emulators; given as options, since an agent of `node:http` costs every start of a function 20 ms.
    httpAgent: { keepAlive: true, maxSockets: Infinity, timeout: idleMs },
  },
});
