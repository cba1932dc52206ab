/** An image that a page shows under a signer or site key: charged once in a period, whatever its size and format. */

import { dayWindow, monthWindow, type Window } from '../base/window';
import type { KeyedCaller } from '../credentials/caller';
import { fingerprintOf, type ImageRequest } from '../requests/image-request';
import type { Allowance } from './quota';

export interface PaidImage {
  /** One for each account, mode, image and period: `PAID#<account>[#test]#<SHA-256>#<yyyy-mm-dd or yyyy-mm>`. */
  readonly key: string;
  /** The UTC day or month for which it is paid. */
  readonly period: Window;
}

/**
 * The image that a request is charged for.
 * @param charged how often an image is charged
 * @param allowance what it is charged to: at the end of a month both take the same one
 */
export function paidImageOf(
  { kind, account }: Pick<KeyedCaller, 'kind' | 'account'>,
  request: ImageRequest,
  charged: 'day' | 'month',
  { window }: Pick<Allowance, 'window'>,
  nowMs: number,
): PaidImage {
  const momentMs = Math.min(Math.max(nowMs, window.startMs), window.endMs - 1);
  const period = charged === 'day' ? dayWindow(momentMs) : monthWindow(momentMs);
  const owner = kind === 'test' ? `${account}#test` : account;
  const hash = fingerprintOf({ ...request, widthPx: 0, heightPx: 0 });
  return { key: `PAID#${owner}#${hash}#${period.label}`, period };
}
