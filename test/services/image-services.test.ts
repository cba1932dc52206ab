/** `createImageServices` passes the settings of the operator to AI images. */

import { createImageServices } from '../../lambda/services/image-services';
import type { Services } from '../../lambda/services/services';

const plans = { free: { generationsPerMonth: 3 } };
const loadAiServices = (IMAGE_STORE = 's3://images') =>
  createImageServices({
    config: { IMAGE_STORE, AI_LABEL: 'corner', GENERATIONS_PER_DAY: 7, PLANS: plans },
    rootUrl: 'https://api.example.org/prod',
    connect: async (contact: string) => ({ contact }),
  } as unknown as Services);

test('AI images have the operator’s label, plans and limit of the day', async () => {
  const services = await loadAiServices();
  expect(services).toMatchObject({ generationsPerDay: 7, aiLabel: 'corner', plans });
});

test('the service is the contact of its AI images where the operator names none', async () => {
  expect(await loadAiServices()).toHaveProperty('contact', 'https://api.example.org/prod');
});

test('only a folder, where files may be deleted by hand, is asked whether a file is there', async () => {
  expect(await loadAiServices()).not.toHaveProperty('isStored');
  expect(await loadAiServices('file:///images')).toHaveProperty('isStored');
});
