/** A caller that may generate images, and its request for one. */

import type { KeyedCaller } from '../../lambda/domain/caller/caller';
import type { AiRequest } from '../../lambda/domain/request/image-request';
import { accountId } from './branded';

export const aiCaller: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'pro', keyId: 'k' };

export const aiRequest: AiRequest = {
  provider: 'ai',
  query: 'lake',
  widthPx: 300,
  heightPx: 200,
  style: 'photo',
  visibility: 'private',
  asJson: false,
};
