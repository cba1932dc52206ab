/** Wires what reads secrets, the signing of private URLs among it: no known stock image needs it; loaded on first need. */

import { createReadSecret } from '../../aws/secrets/read-secret';
import { lazily } from '../../base/lazily';
import { createSignedDelivery } from '../../images/delivery-urls/signed-delivery';
import { createPickedImages } from '../../images/picked-images';
import type { SecretsWiring, Wiring } from './wiring';

/** Each secret is read with the first request that needs it. */
export function wireSecrets(wiring: Wiring): Omit<SecretsWiring, 'noteUse'> {
  const { config, clock } = wiring;
  const readSecret = createReadSecret(clock);
  const delivery = createSignedDelivery({
    baseUrl: config.IMAGE_BASE_URL,
    keyPairId: config.SIGNING_KEY_PAIR_ID,
    readPrivateKey: () => readSecret(config.SIGNING_SECRET_ID),
  });
  // It never changes: another value would end every signer.
  const readMaster = lazily(() => readSecret(config.SIGNER_SECRET_ID));
  return { readSecret, readMaster, delivery, pickedImages: createPickedImages(wiring) };
}
