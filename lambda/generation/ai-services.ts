/** What AI images are served with: of `Services`, how the operator has set them up, and what an instance remembers. */

import type { ExpiringCache } from '../base/expiring-cache';
import type { AiLabel } from '../contract/environment';
import type { Plans } from '../contract/plans';
import type { Delivery } from '../images/delivery-urls/delivery';
import type { LibraryPath } from '../images/library-path';
import type { Renderer } from '../images/renderer';
import type { MadeRendition } from '../images/rendition-notes';
import type { LimitServices } from '../quota/take';
import type { Services } from '../services';
import type { GeneratorQueue } from './generate';

/** What serving an AI image needs. */
export interface AiServices extends Omit<LimitServices, 'tables'>, Pick<Services, 'ids'> {
  readonly tables: Pick<Services['tables'], 'cache' | 'generationIndex' | 'quotaCounters'>;
  readonly renderer: Renderer;
  readonly delivery: Delivery;
  /** Renditions that this instance has met, by their paths. */
  readonly renditions: ExpiringCache<MadeRendition>;
  readonly generatorQueue: GeneratorQueue;
  readonly plans: Plans;
  /** The operator's day of generations, for all accounts together; absent for none. */
  readonly generationsPerDay: number | undefined;
  /** Concurrent executions of the AWS account that no function has reserved; `undefined` where nothing bounds them. */
  readonly unreservedExecutions: () => Promise<number | undefined>;
  /** Beside the label that a request asks for. */
  readonly aiLabel: AiLabel;
  /** Whether a rendition that was made is still there; absent where nothing removes one before it is forgotten here. */
  readonly isStored: ((path: LibraryPath) => Promise<boolean>) | undefined;
}
