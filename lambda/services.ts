/**
 * What touches the world, in one object: made in `functions/*\/main.ts`, passed down as the first parameter. All else is
 * an exported function that is called. A function asks for what it uses: `services: Pick<Services, 'clock' | …>`, or
 * `DatabaseServices` for what calls tables. A test gives it dynalite (`local/engine`), a virtual clock and a fixed `random`.
 */

import type { DatabaseServices } from './aws/dynamodb';
import type { Ids } from './base/clock';
import type { ExpiringCache } from './base/expiring-cache';
import type { Telemetry } from './base/telemetry';
import type { TableName } from './contract/tables';
import type { GeneratorQueue } from './generation/generation-job';
import type { Generator } from './generation/generator';
import type { ImageLibrary } from './images/image-library';
import type { Renderer } from './images/renderer';
import type { StockProvider } from './stock/stock-provider';

/**
 * What a known image needs: made at the start of an instance. The deadline is that of one request: what surrounds a
 * request passes on `{ ...services, deadline }`.
 */
export interface KnownImageServices extends DatabaseServices {
  /** Physical names of the tables. */
  readonly tables: Readonly<Record<TableName, string>>;
  readonly ids: Ids;
  /** Limits that have refused, by name: this process refuses them without a call for a minute at most. */
  readonly refusals: ExpiringCache<true>;
  readonly telemetry: Telemetry;
}

/** What all others need beside it: made on first need, behind the one `import()` that keeps it out of a cold start. */
export interface Services extends KnownImageServices {
  /** Masters, renditions and the operator's photographs. */
  readonly bucket: ImageLibrary;
  readonly renderer: Renderer;
  readonly generatorQueue: GeneratorQueue;
  /** The model of the generator function. */
  readonly model: Generator;
  /** Stock providers by their names. */
  readonly providers: ReadonlyMap<string, StockProvider>;
  /** The text of a secret. @throws when there is none, or Secrets Manager does not answer */
  readonly readSecret: (secretId: string) => Promise<string>;
}
