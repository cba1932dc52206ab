/** What an AI image is served with, of the operator's settings. */

import type { Services } from '../lambda/services';
import { createAiServices } from '../lambda/unknown-images';
import { storedPath } from './fakes/branded';
import { createFakeImageStore } from './fakes/image-store';

const bucket = createFakeImageStore();
const servicesFor = (IMAGE_STORE: string) =>
  createAiServices({
    config: { IMAGE_STORE, AI_LABEL: 'corner', GENERATIONS_PER_DAY: 7, PLANS: {} },
    rootUrl: 'https://api.example.org/prod',
    connections: async (contact: string) => ({ bucket, contact }),
  } as unknown as Services);

it('AI images have the operator’s label, plans and limit of the day', async () => {
  const services = await servicesFor('s3://images');
  expect(services).toMatchObject({ generationsPerDay: 7, aiLabel: 'corner', plans: {} });
});

it('the service is the contact of its AI images where the operator names none', async () => {
  expect(await servicesFor('s3://images')).toHaveProperty('contact', 'https://api.example.org/prod');
});

it('only a folder, where files may be deleted by hand, is asked whether a file is there', async () => {
  expect((await servicesFor('s3://images')).isStored).toBeUndefined();
  const { isStored } = await servicesFor('file:///images');
  const path = storedPath('public/a.webp');
  expect(await isStored?.(path)).toBe(false);
  await bucket.put(path, Buffer.from('x'));
  expect(await isStored?.(path)).toBe(true);
});
