/** A caller that may generate images, its request for one, and the job of drawing it. */

import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { GenerationJob } from '../../lambda/generation/generate-image';
import type { AiRequest } from '../../lambda/requests/image-request';
import { accountId, imageKey } from './branded';

export const aiCaller: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'pro', keyId: 'k' };

export const aiRequest: AiRequest = {
  source: 'ai',
  query: 'lake',
  widthPx: 300,
  heightPx: 200,
  style: 'photo',
  visibility: 'private',
  asJson: false,
};

export const aGenerationJob: GenerationJob = {
  key: imageKey(`G#live#acc_1#private#${'0'.repeat(64)}`),
  generationId: 'EX',
  counted: [],
  workLimits: [],
  order: { words: 'sea', style: 'photo', ratio: '16:9', seed: 1 },
};
