/** Wires what a stock request needs only when its image is not known yet; loaded on first need. */

import {
  connectLambda,
  createInvokeBackground,
  createInvokePlaceholderMaker,
  createInvokeRenderer,
} from '../../adapters/lambda/invoke';
import { createReadKey } from '../../adapters/secrets/provider-keys';
import { createProviders } from '../../adapters/stock/providers';
import { stockSlots } from '../../contract/providers';
import { createFindImage, type FindImage, type FindImageDeps } from '../../usecases/stock/find-image';
import type { KnownImages } from '../../usecases/stock/known-images';
import type { SecretsWiring, Wiring } from './wiring';

/** @param contact how providers can reach who operates the service */
export function wireStock(
  wiring: Wiring & SecretsWiring,
  known: KnownImages,
  contact: () => string,
): FindImage {
  const { config, clock } = wiring;
  const lambda = connectLambda();
  const providerOf = createProviders({
    readKey: createReadKey(wiring.readSecret, config.PROVIDER_SECRET_ID),
    contact,
    clock,
    endpoints: config.PROVIDER_ENDPOINTS,
    quotas: config.PROVIDER_QUOTAS,
  });
  const slots = stockSlots.map((slot) => [slot, providerOf(config.SLOT_BINDINGS[slot])]);
  return createFindImage({
    ...wiring,
    known,
    slots: Object.fromEntries(slots) as FindImageDeps['slots'],
    renderer: createInvokeRenderer(lambda, config.RENDERER_FUNCTION, clock),
    placeholders: createInvokePlaceholderMaker(lambda, config.RENDERER_FUNCTION, clock),
    background: createInvokeBackground(lambda, config.RENDERER_FUNCTION, clock),
  });
}
