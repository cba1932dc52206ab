/** The card in place of an image that is gone. */

import { renderGoneCard } from '../../lambda/images/gone-card';
import type { RenditionJob } from '../../lambda/images/renderer-job';

const size = { widthPx: 640, heightPx: 360 };
const image = { pick: 'AAAAAAAAAAA', source: 'stock_a', color: '#112233' } as const;
const goneImage = { ...image, ...size, format: 'webp' } as const;

/** Renders a card, and returns it with the renderer's job. */
async function renderCard(
  change: Partial<Parameters<typeof renderGoneCard>[1]> = {},
  outcome: 'stored' | 'gone' = 'stored',
) {
  const jobs: RenditionJob[] = [];
  const renderer = {
    render: async (job: RenditionJob) => {
      jobs.push(job);
      return { outcome };
    },
  };
  const imageDomain = { baseUrl: 'https://cdn.example' };
  const { image: card } = await renderGoneCard({ renderer, imageDomain }, { ...goneImage, ...change });
  return { card, job: jobs[0] as RenditionJob };
}

test('a card has the image’s colour in the requested size and format', async () => {
  const { card, job } = await renderCard();
  expect(job).toMatchObject({
    ...size,
    format: 'webp',
    source: { kind: 'card', color: '#112233' },
    metadata: { creditLine: 'Image no longer available', aiGenerated: false },
  });
  expect(card).toMatchObject({
    ...size,
    ...image,
    location: `https://cdn.example/${job.path}`,
    fallback: 'gone',
    alt: 'Image no longer available',
    attribution: { license: { id: 'cc0-1.0' }, creditLine: 'Image no longer available' },
  });
});

test('each image, colour, size and format has another card', async () => {
  const neutral = await renderCard({ color: undefined as never });
  expect(neutral.job.source).toEqual({ kind: 'card', color: '#d5dae1' });
  const cards = [
    renderCard(),
    renderCard({ pick: 'BBBBBBBBBBB' }),
    renderCard({ color: '#112234' }),
    renderCard({ widthPx: 641 }),
    renderCard({ heightPx: 361 }),
    renderCard({ format: 'jpeg' }),
  ];
  const paths = (await Promise.all(cards)).map(({ job }) => job.path);
  expect(new Set(paths).size).toBe(cards.length);
  expect(paths[0]).toMatch(/^stock\/gone\/[0-9a-f]{64}\.webp$/);
  expect(paths[5]).toMatch(/\.jpg$/);
  expect((await renderCard()).job.path).toBe(paths[0]);
});

test('a card that the renderer does not store is an error', async () => {
  await expect(renderCard({}, 'gone')).rejects.toThrow('A card was not rendered: gone');
});
