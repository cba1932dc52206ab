/**
 * What makes images that are not known, as a test scripts it: in place of `lambda/stock/new-images`, which is loaded on first
 * need, stands what the services of a test name as `scripted`.
 */

import type { Services } from '../../lambda/services';
import type * as newImages from '../../lambda/stock/new-images';

type Without<F> = F extends (services: Services, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** What a test decides; a part that is needed and was not handed over rejects. */
export interface ScriptedImages {
  readonly findNew: Without<typeof newImages.findNew>;
  readonly reportKnownUse: Without<typeof newImages.reportKnownUse>;
  readonly serveAi: Without<typeof newImages.serveAi>;
  readonly servePicked: Without<typeof newImages.servePicked>;
  readonly servePermalink: Without<typeof newImages.servePermalink>;
  readonly goneCardFor: Without<typeof newImages.goneCardFor>;
}

/** Services by which the image function answers in a test. */
export interface ScriptedServices extends Services {
  readonly scripted: Partial<ScriptedImages>;
}

jest.mock('../../lambda/stock/new-images', () =>
  Object.fromEntries(
    ['findNew', 'reportKnownUse', 'serveAi', 'servePicked', 'servePermalink', 'goneCardFor'].map((name) => [
      name,
      async ({ scripted }: ScriptedServices, ...rest: unknown[]) => {
        const part = scripted[name as keyof ScriptedImages] as ((...rest: unknown[]) => unknown) | undefined;
        if (!part) throw new Error(`${name} is not expected.`);
        return part(...rest);
      },
    ]),
  ),
);
