/** A caller that may generate images, and its request for one. */

import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { AiRequest } from '../../lambda/requests/image-request';
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
