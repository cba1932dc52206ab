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

const px = (widthPx: number, heightPx: number) => ({ widthPx, heightPx });
const labelled = { label: 'corner', widthPx: 300 } as const;

test.each<[string, Partial<LabelledSize>, Size, LabelledSize]>([
  ['no size', {}, px(1536, 864), px(1536, 864)],
  ['no size of a large one', {}, px(8000, 4000), px(4000, 2000)],
  ['a width', { widthPx: 600 }, px(1024, 1536), px(600, 900)],
  ['a height', { heightPx: 600 }, px(1536, 1024), px(900, 600)],
  ['a width at the edge', { widthPx: 100 }, px(1536, 658), px(100, 100)],
  ['a label', labelled, px(300, 200), { ...labelled, heightPx: 200 }],
  ['both sides', px(300, 300), px(1536, 864), px(300, 300)],
])('the image behind a permalink has for %s the size that its own gives', async (_, asked, own, expected) => {
  expect(await serving(own)(asked)).toEqual(expected);
});
