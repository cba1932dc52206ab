/** The part of the image function that publishes records, by one signer for every account, and notes what it has published. */

import type { PublishingPart } from '../../lambda/functions/redirect/miss';
import { publishOrderOf } from '../../lambda/pages/publishing';
import { arrival } from './observed';

const signing = { signerId: 'sg_live_0123456789ab' as never, key: new Uint8Array(32) };

export function createFakePublishing() {
  const noted: Parameters<PublishingPart['publishing']['note']>[] = [];
  const load = async (): Promise<PublishingPart> => ({
    publishing: {
      resolve: async () => ({
        credential: { kind: 'signed', signing, isOwn: true },
        until: null,
        note: null,
      }),
      note: async (...published) => {
        await arrival();
        noted.push(published);
      },
    },
    publishOrderOf,
  });
  return { noted, load };
}

export const loadFakePublishing = createFakePublishing().load;
