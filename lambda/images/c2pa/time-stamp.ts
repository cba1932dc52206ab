/** Has signatures stamped with the time by an authority (RFC 3161). */

import { PKIStatus, SignedData, TimeStampResp, TSTInfo } from 'pkijs';
import type { Clock } from '../../base/clock';
import { withTimeout } from '../../base/deadline';
import { retry } from '../../base/retry';
import { timeStampTimeoutMs } from '../../contract/timeouts';
import type { TimestampProvider } from './library';

const attemptsMax = 2;

/** @throws when it gives none for this very signature in time */
export function timeStampsBy(url: string, clock: Pick<Clock, 'sleep'>): TimestampProvider {
  return {
    async getSignedTimestamp(request) {
      // What is stamped is a signature with a random number in it. The library's nonce is not always valid DER.
      delete request.nonce;
      const body = request.toSchema().toBER();
      const ask = async (signal: AbortSignal) => {
        const headers = { 'content-type': 'application/timestamp-query' };
        const answer = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
        if (!answer.ok) throw new Error(`The time stamp authority answered with ${answer.status}`);
        return answer.arrayBuffer();
      };
      const bytes = await retry(() => withTimeout(clock, timeStampTimeoutMs, ask), {
        attemptsMax,
        pauseMsAfter: () => 0,
        clock,
      });
      const response = TimeStampResp.fromBER(bytes);
      const { status, timeStampToken } = response;
      if (status.status > PKIStatus.grantedWithMods || !timeStampToken)
        throw new Error(`The time stamp authority refused with status ${status.status}`);
      const { eContent } = new SignedData({ schema: timeStampToken.content }).encapContentInfo;
      const { messageImprint } = TSTInfo.fromBER(eContent?.getValue() ?? new ArrayBuffer());
      const [wanted, stamped] = [request.messageImprint, messageImprint].map(({ hashedMessage }) =>
        Buffer.from(hashedMessage.getValue()).toString('hex'),
      );
      if (stamped !== wanted) throw new Error('The time stamp is of another signature');
      return response;
    },
  };
}
