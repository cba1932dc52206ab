/** The part of the image function that publishes records, by one signer for every account. */

import type { PublishingPart } from '../../lambda/functions/redirect/publishing-main';
import { publishOrderOf } from '../../lambda/pages/publishing';

const signing = { signerId: 'sg_live_0123456789ab' as never, key: new Uint8Array(32) };

export const loadFakePublishing = async (): Promise<PublishingPart> => ({
  publishing: {
    resolve: async () => ({ credential: { kind: 'signed', signing, isOwn: true }, until: null, note: null }),
    note: async () => undefined,
  },
  publishOrderOf,
});
