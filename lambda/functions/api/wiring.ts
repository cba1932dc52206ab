/** What the image function builds at its start and its lazily loaded parts share. */

import type { Clock, Ids } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import type { Delivery } from '../../images/delivery-urls/delivery';
import type { NoteServices, PickedImages } from '../../images/picked-images';
import type { KnownImageServices } from '../../services';
import type { connectLambda } from '../aws/invoke';
import type { ConfigOf } from '../config';
import type { settings } from './settings';

/** What each start of the image function builds. */
export interface Wiring {
  readonly config: ConfigOf<typeof settings>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
  /** With the deadline of the request that runs. */
  readonly services: KnownImageServices;
  readonly readSecret: (secretId: string) => Promise<string>;
}

/** What is built with the first image that is not known, and shared by all that find or make one. */
export interface MissWiring {
  readonly delivery: Delivery;
  readonly pickedImages: PickedImages;
  /** For the images that are noted in the request that runs. */
  readonly noteServices: () => NoteServices;
  readonly lambda: ReturnType<typeof connectLambda>;
}
