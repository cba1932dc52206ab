/** The services of a request for an AI image. Those of the generator are in `generate-image.ts`. */

import type { TableServices } from '../aws/dynamodb';
import type { ExpiringCache } from '../base/expiring-cache';
import type { Ids } from '../base/ids';
import type { Plans } from '../contract/plans';
import type { AiLabel } from '../contract/settings';
import type { ImageDomain } from '../images/delivery-urls';
import type { Placeholder } from '../images/image';
import type { Renderer } from '../images/renderer';
import type { StoredPath } from '../images/stored-path';
import type { LimitServices } from '../quota/take';
import type { GeneratorQueue } from './generate-image';

/** The facts about a stored rendition that its path does not tell. It is delivered without the renderer. */
export interface RenditionFacts {
  readonly placeholder?: Placeholder;
}

export interface AiServices extends LimitServices {
  readonly tables: TableServices<'cache' | 'generationIndex' | 'quotaCounters'>['tables'];
  readonly ids: Ids;
  readonly renderer: Renderer;
  readonly imageDomain: ImageDomain;
  readonly renditions: ExpiringCache<RenditionFacts>;
  readonly generatorQueue: GeneratorQueue;
  readonly plans: Plans;
  /** Generations a day for all accounts together; `undefined` if the operator sets no limit. */
  readonly generationsPerDay: number | undefined;
  /** Concurrent executions that no Lambda function has reserved; `undefined` if nothing bounds them. */
  readonly countUnreservedExecutions: () => Promise<number | undefined>;
  readonly aiLabel: AiLabel;
  /**
   * Returns true if a rendition is still stored. Absent if no file can vanish while its facts hold.
   */
  readonly isStored?: (path: StoredPath) => Promise<boolean>;
}
