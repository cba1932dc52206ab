/** Wires what reads secrets, the signing of private URLs among it: no known stock image needs it; loaded on first need. */

import { createReadSecret } from '../../aws/secrets/read-secret';
import { createSignedDelivery } from '../../images/delivery-urls/signed-delivery';
import { createPickedImages } from '../../images/picked-images';
import type { SecretsWiring, Wiring } from './wiring';

export function wireSecrets(wiring: Wiring): Omit<SecretsWiring, 'noteUse'> {
  const { config, clock } = wiring;
  const readSecret = createReadSecret(clock);
  const delivery = createSignedDelivery({
    baseUrl: config.IMAGE_BASE_URL,
    keyPairId: config.SIGNING_KEY_PAIR_ID,
    readPrivateKey: () => readSecret(config.SIGNING_SECRET_ID),
  });
  return { readSecret, delivery, pickedImages: createPickedImages(wiring) };
}
