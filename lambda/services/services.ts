/**
 * Declares the services: one object with all that touches the world, and all that an instance remembers.
 * `functions/api/main.ts` makes it, and the handler adds `deadline` and `rootUrl` for each request. Functions
 * pass it down. Each asks only for what it uses, such as `Pick<Services, 'clock'>`.
 */

import type { DatabaseServices } from '../aws/dynamodb';
import type { Lambda } from '../aws/lambda';
import type { Deadline } from '../base/deadline';
import type { ExpiringCache } from '../base/expiring-cache';
import type { Ids } from '../base/ids';
import type { Telemetry } from '../base/telemetry';
import type { TableName } from '../contract/tables';
import type { AddressServices } from '../credentials/client-ip';
import type { StoredKey } from '../credentials/key-store';
import type { SignerServices } from '../credentials/signer';
import type { RenditionFacts } from '../generation/ai-services';
import type { ImageDomain } from '../images/delivery-urls';
import type { ImageStore } from '../images/image-store';
import type { ReportServices } from '../quota/usage/report-usage';
import type { ThresholdEvent } from '../quota/usage/thresholds';
import type { StockMemory, StockServices, StockSettings } from '../stock/stock-services';
import type { apiSettings, ConfigOf } from './settings';

/** The services of a request. All but `deadline` and `rootUrl` belong to the instance. */
export interface Services extends DatabaseServices, SignerServices, AddressServices {
  readonly config: ConfigOf<typeof apiSettings>;
  readonly tables: Readonly<Record<TableName, string>>;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
  readonly stockSettings: StockSettings;
  /** Sends an event to the operator. Absent if nothing is announced. */
  readonly announce?: (event: ThresholdEvent, deadline: Deadline) => Promise<void>;
  /** The root URL of the service as the caller sees it, without a trailing slash. */
  readonly rootUrl: string;
  /**
   * Connects to what only an unknown image needs. The first unknown image makes the connections.
   * @param rootUrl of its request. It is the contact for providers if the operator has set none.
   */
  readonly connect: (rootUrl: string) => Promise<Connections>;

  // The memory of an instance. It may be lost at any time.
  readonly refusals: ExpiringCache<true>;
  /** The images of signers and site keys that are free now, by the keys of their marks. */
  readonly freeImages: ExpiringCache<true>;
  readonly stockMemory: StockMemory;
  readonly credentialsByAccount: ExpiringCache<readonly StoredKey[]>;
  readonly pastMonths: ReportServices['pastMonths'];
}

/** The connections for unknown images. Each instance makes them once. */
export interface Connections extends Pick<StockServices, 'findProvider'> {
  readonly lambda: Lambda;
  readonly executions: ExpiringCache<Promise<number>>;
  readonly imageStore: ImageStore;
  readonly imageDomain: ImageDomain;
  /** The renditions that this instance knows to be stored, by their paths. */
  readonly renditions: ExpiringCache<RenditionFacts>;
}
