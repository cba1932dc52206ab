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
import type { Caller, KeyedCaller } from './credentials/caller';
import type { settings } from './functions/api/settings';
import type { ConfigOf } from './functions/config';
import type { GeneratorQueue } from './generation/generator-queue';
import type { ModelFor } from './generation/models/models';
import type { CacheableContent } from './http/http-response';
import type { Answer } from './images/answer';
import type { ServedImage } from './images/image';
import type { ImageLibrary } from './images/image-library';
import type { Renderer } from './images/renderer';
import type { PublishingMemory } from './pages/publishing';
import type { RequestContext } from './quota/request-context';
import type { LimitServices } from './quota/take';
import type { ReportUsage } from './quota/usage/report-usage';
import type { RecordUsage } from './quota/usage/usage';
import type { AiRequest, ImageRequest } from './requests/image-request';
import type { LabelledSize } from './requests/rendition';
import type { ServeStock, ServeStockServices } from './stock/serve-stock';
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
  /** Images that signers and site keys show and that are paid today, by the keys of their marks. */
  readonly paidToday: ExpiringCache<true>;
  readonly telemetry: Telemetry;
  /** Sends an event to the operator; absent where nothing is announced. */
  readonly announce?: LimitServices['announce'];
}

/** What all others need beside it: made on first need, behind the one `import()` that keeps it out of a cold start. */
export interface Services extends KnownImageServices {
  /** Masters, renditions and the operator's photographs. */
  readonly bucket: ImageLibrary;
  readonly renderer: Renderer;
  readonly generatorQueue: GeneratorQueue;
  /** The models of the generator function. */
  readonly modelFor: ModelFor;
  /** Stock providers by their names. */
  readonly providers: ReadonlyMap<string, StockProvider>;
  /** The text of a secret. @throws when there is none, or Secrets Manager does not answer */
  readonly readSecret: (secretId: string) => Promise<string>;
}

/** What the image function is made with, and passes down to what answers its requests. */
export interface ImageServices extends KnownImageServices {
  readonly config: ConfigOf<typeof settings>;
  /** The secret from which the keys of all signers are derived. @throws when it cannot be read in time */
  readonly readMaster: () => Promise<string>;
  /** The key of the hash under which client IP addresses are counted. @throws when it cannot be read in time */
  readonly readAddressKey: () => Promise<string>;
  readonly publishing: PublishingMemory;
  /** Pages of the documentation by path and root URL. */
  readonly pagesKept: ExpiringCache<CacheableContent>;
  readonly parts: Parts;
}

/** The parts of stock, generation and quota that are made once at the start or on first need. */
export interface Parts {
  readonly recordUsage: RecordUsage;
  readonly reportUsage: ReportUsage;
  readonly stock: ServeStockServices;
  readonly serveStock: ServeStock;
  readonly serveAi: (request: AiRequest, caller: KeyedCaller, context: RequestContext) => Promise<Answer>;
  /** Answers with the AI image of a pick, in the size of a request. */
  readonly servePicked: (
    request: ImageRequest,
    caller: KeyedCaller,
    context: RequestContext,
  ) => Promise<Answer>;
  /** @param size without a side: that of the image itself, or what its ratio makes of the other side */
  readonly servePermalink: (
    imageId: string,
    size: Partial<LabelledSize>,
    caller: Caller,
    context: RequestContext,
  ) => Promise<Answer>;
  /** The card for an image that is gone, of the size of the request. */
  readonly goneCard: (request: ImageRequest, context: RequestContext) => Promise<ServedImage>;
  /** Receives the root URL of the service before an image is searched for. */
  readonly onRootUrl: (rootUrl: string) => void;
}
