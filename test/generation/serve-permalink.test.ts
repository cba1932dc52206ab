/** The size of an image that is asked for by its permalink. */

import { monthWindow } from '../../lambda/base/window';
import type { Generation, GenerationIndex, Master } from '../../lambda/generation/generation';
import { createServePermalink } from '../../lambda/generation/serve-permalink';
import type { Charges } from '../../lambda/quota/reservations';
import type { LabelledSize, Size } from '../../lambda/requests/rendition';
import { accountId, imageKey, libraryPath } from '../fakes/branded';
import { aContext, generousLedger } from '../fakes/request-context';
import { anImage } from '../fakes/stock';

const nowMs = Date.UTC(2026, 10, 21, 12);
const window = monthWindow(nowMs);
const rateLimit = { limit: 10, remaining: 9, window };

function serving(own: Partial<Size>) {
  const rendered: LabelledSize[] = [];
  const master: Master = { path: libraryPath('public/a/master.png'), model: 'm', ...own };
  const generation: Generation = {
    key: imageKey(`G#live#acc_1#public#${'0'.repeat(64)}`),
    imageId: 'img_1',
    state: 'READY',
    execution: 'EX',
    fence: 1,
    settled: true,
    due: false,
    tries: 0,
    master,
  };
  const index: Pick<GenerationIndex, 'byImageId'> = { byImageId: async () => generation };
  const serve = createServePermalink({
    index: index as GenerationIndex,
    charges: {} as Charges,
    renditions: {
      isMade: async () => true,
      deliver: async (_, size) => {
        rendered.push(size);
        return { outcome: 'delivered', image: { ...anImage, ...size } };
      },
    },
    ledger: generousLedger(rateLimit),
  });
  return async (size: Partial<LabelledSize>) => {
    const caller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' } as const;
    expect(await serve('img_1', size, caller, aContext(caller, nowMs))).toMatchObject({ outcome: 'served' });
    return rendered[0];
  };
}

describe('the image behind a permalink', () => {
  it.each<[string, Partial<LabelledSize>, Partial<Size>, LabelledSize]>([
    ['no size', {}, { widthPx: 1536, heightPx: 864 }, { widthPx: 1536, heightPx: 864 }],
    ['no size of a large one', {}, { widthPx: 8000, heightPx: 4000 }, { widthPx: 4000, heightPx: 2000 }],
    ['no size of one without a record', {}, {}, { widthPx: 1920, heightPx: 1080 }],
    ['a width', { widthPx: 600 }, { widthPx: 1024, heightPx: 1536 }, { widthPx: 600, heightPx: 900 }],
    ['a height', { heightPx: 600 }, { widthPx: 1536, heightPx: 1024 }, { widthPx: 900, heightPx: 600 }],
    [
      'a width at the edge',
      { widthPx: 100 },
      { widthPx: 1536, heightPx: 658 },
      { widthPx: 100, heightPx: 100 },
    ],
    [
      'a label',
      { label: 'corner', widthPx: 300 },
      { widthPx: 300, heightPx: 200 },
      { label: 'corner', widthPx: 300, heightPx: 200 },
    ],
    [
      'both sides',
      { widthPx: 300, heightPx: 300 },
      { widthPx: 1536, heightPx: 864 },
      { widthPx: 300, heightPx: 300 },
    ],
  ])('has for %s the size that its own gives', async (_, asked, own, expected) => {
    expect(await serving(own)(asked)).toEqual(expected);
  });
});
