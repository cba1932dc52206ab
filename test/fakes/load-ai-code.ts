/**
 * Stands in place of `lambda/services/load-image-code` in tests of AI images, which need none of its services.
 * A test file says so:
 * `jest.mock('../../lambda/services/load-image-code', () => jest.requireActual('../fakes/load-ai-code'));`
 */

import type { AiServices } from '../../lambda/generation/ai-services';
import * as making from '../../lambda/generation/make-ai-image';
import * as planning from '../../lambda/generation/plan-ai-image';
import type { ServedImage } from '../../lambda/images/image';
import { type StoreServices, storePickedAiImage } from '../../lambda/images/picked-images';

/** The code, bound to the services of the test. Without a memory of stores it stores no picked image. */
export async function loadImageCode(services: AiServices & Partial<StoreServices>) {
  const functions = { ...planning, ...making } as unknown as Readonly<Record<string, Unbound>>;
  const bound = Object.entries(functions).map(
    ([name, run]) => [name, (...rest: unknown[]) => run(services, ...rest)] as const,
  );
  return {
    ...Object.fromEntries(bound),
    storePickedAiImage: async (image: ServedImage) =>
      services.stockMemory && storePickedAiImage(services as StoreServices, image),
  };
}

type Unbound = (services: AiServices, ...rest: unknown[]) => unknown;
