/** The size of an image that is asked for by its permalink. */

import { imageIdOf } from '../../lambda/generation/generation-identity';
import { servePermalink } from '../../lambda/generation/serve-permalink';
import type { RenditionJob } from '../../lambda/images/renderer-job';
import type { LabelledSize, Size } from '../../lambda/requests/rendition';
import { aiCaller } from '../fakes/ai';
import { aiServices, aMaster, madeIn } from '../fakes/ai-services';
import { imageKey } from '../fakes/branded';
import { aContext } from '../fakes/request-context';
import { createVirtualClock } from '../fakes/virtual-clock';

function serving(own: Size) {
  const clock = createVirtualClock();
  const rendered: LabelledSize[] = [];
  const render = async ({ widthPx, heightPx, label }: RenditionJob) => {
    rendered.push({ widthPx, heightPx, ...(label && { label }) });
    return { outcome: 'stored' } as const;
  };
  const { services } = aiServices(clock, { renderer: { render } });
  const key = imageKey(`G#live#acc_1#public#${'0'.repeat(64)}`);
  return async (size: Partial<LabelledSize>) => {
    await madeIn(services, key, { ...aMaster, ...own });
    const answer = servePermalink(
      services,
      imageIdOf(key),
      size,
      aiCaller,
      aContext(aiCaller, clock.nowMs()),
    );
    expect(await answer).toMatchObject({ outcome: 'served' });
    return rendered[0];
  };
}

describe('the image behind a permalink', () => {
  it.each<[string, Partial<LabelledSize>, Size, LabelledSize]>([
    ['no size', {}, { widthPx: 1536, heightPx: 864 }, { widthPx: 1536, heightPx: 864 }],
    ['no size of a large one', {}, { widthPx: 8000, heightPx: 4000 }, { widthPx: 4000, heightPx: 2000 }],
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
