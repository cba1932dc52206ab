/** Declares the services that answer requests for AI images; `generate-image.ts` has the generator's. */

import type { TableServices } from '../aws/dynamodb';
import type { ExpiringCache } from '../base/expiring-cache';
import type { Ids } from '../base/ids';
import type { Plans } from '../contract/plans';
import type { AiLabel } from '../contract/settings';
import type { ImageDomain } from '../images/delivery-urls';
import type { Renderer } from '../images/renderer';
import type { StoredPath } from '../images/stored-path';
import type { LimitServices } from '../quota/take';
import type { GeneratorQueue } from './generate-image';
import type { RenditionNote } from './rendition-notes';

export interface AiServices extends LimitServices {
  readonly tables: TableServices<'cache' | 'generationIndex' | 'quotaCounters'>['tables'];
  readonly ids: Ids;
  readonly renderer: Renderer;
  readonly imageDomain: ImageDomain;
  readonly renditions: ExpiringCache<RenditionNote>;
  readonly generatorQueue: GeneratorQueue;
  readonly plans: Plans;
  /** Generations of a day for all accounts together; `undefined` where the operator sets no limit. */
  readonly generationsPerDay: number | undefined;
  /** Concurrent executions that no Lambda function has reserved; `undefined` where nothing bounds them. */
  readonly unreservedExecutions: () => Promise<number | undefined>;
  readonly aiLabel: AiLabel;
  /** Whether a noted rendition is still there; absent where none can vanish while its note holds. */
  readonly isStored?: (path: StoredPath) => Promise<boolean>;
}
