/**
 * What makes images that are not known, as a test scripts it: in place of `lambda/uncached`, which is
 * loaded on first need, stands what the services of a test name as `scripted`.
 */

import type { Services } from '../../lambda/services';
import type * as uncached from '../../lambda/uncached';

type Without<F> = F extends (services: never, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** The images that a test scripts; a part that is needed and was not handed over rejects. */
export interface ScriptedImages {
  readonly findImage: Without<typeof uncached.findImage>;
  readonly reportUse: Without<typeof uncached.reportUse>;
  readonly serveAi: Without<typeof uncached.serveAi>;
  readonly serveAiPick: Without<typeof uncached.serveAiPick>;
  readonly servePermalink: Without<typeof uncached.servePermalink>;
  readonly goneCard: Without<typeof uncached.goneCard>;
}

/** Services by which the image function answers in a test. */
export interface ScriptedServices extends Services {
  readonly scripted: Partial<ScriptedImages>;
}

const parts = ['findImage', 'reportUse', 'serveAi', 'serveAiPick', 'servePermalink', 'goneCard'];

jest.mock('../../lambda/uncached', () => ({
  stockServicesOf: async (services: Services) => services,
  aiServicesOf: async (services: Services) => services,
  keepAiImage: async () => undefined,
  ...Object.fromEntries(
    parts.map((name) => [
      name,
      async ({ scripted }: ScriptedServices, ...rest: unknown[]) => {
        const part = scripted[name as keyof ScriptedImages] as ((...rest: unknown[]) => unknown) | undefined;
        if (!part) throw new Error(`${name} is not expected.`);
        return part(...rest);
      },
    ]),
  ),
}));
