/** What is known about a request beside its parameters: the caller's quota, the image format and the deadline. */

import type { RenditionFormat } from '../requests/rendition';
import type { Payment } from './payment';
import type { Limit } from './quota';
import type { UsageNote } from './usage/usage';

export interface RequestContext {
  readonly quota: Limit;
  /** What the caller may have stock providers asked for, beside its quota. */
  readonly searches: Limit;
  /** What credentialLimits the caller's credential beside its quota; absent for none. */
  readonly credentialLimits?: readonly Limit[];
  /** What pays for the image already: then nothing is charged, and no window of free deliveries or searches counts it. */
  readonly payment?: Payment;
  readonly requestId: string;
  /** Receives early how the request will be answered; absent for the images of a batch, which are recorded together. */
  readonly usage?: UsageNote;
  readonly format: RenditionFormat;
  /** Moment (epoch, milliseconds) by which the answer must be on its way. */
  readonly deadlineMs: number;
}
