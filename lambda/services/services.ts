/**
 * Declares one object with what touches the world and what an instance remembers: `functions/api/main.ts`
 * makes it, the handler adds what is of a request, and functions pass it down. Each asks for what it uses,
 * such as `Pick<Services, 'clock'>`.
 */

import type { DatabaseServices } from '../aws/dynamodb';
import type { Lambda } from '../aws/lambda';
import type { Deadline } from '../base/deadline';
import type { ExpiringCache } from '../base/expiring-cache';
import type { Ids } from '../base/ids';
import type { Telemetry } from '../base/telemetry';
import type { TableName } from '../contract/tables';
import type { AddressServices } from '../credentials/client-ip';
import type { KeyRecord } from '../credentials/key-store';
import type { SignerServices } from '../credentials/signer';
import type { RenditionNote } from '../generation/ai-services';
import type { ImageDomain } from '../images/delivery-urls';
import type { ImageStore } from '../images/image-store';
import type { ReportServices } from '../quota/usage/report-usage';
import type { ThresholdEvent } from '../quota/usage/thresholds';
import type { StockMemory, StockServices, StockSettings } from '../stock/stock-services';
import type { apiSettings, ConfigOf } from './settings';

/** The services that a request may use; `deadline` and `rootUrl` are its own. */
export interface Services extends DatabaseServices, SignerServices, AddressServices {
  readonly config: ConfigOf<typeof apiSettings>;
  readonly tables: Readonly<Record<TableName, string>>;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
  readonly stockSettings: StockSettings;
  /** Sends an event to the operator; absent where nothing is announced. */
  readonly announce?: (event: ThresholdEvent, deadline: Deadline) => Promise<void>;
  /** Root of the service as the caller of the request sees it, without a trailing slash. */
  readonly rootUrl: string;
  /**
   * Connections that a known image does not need, made for the first image that is not known.
   * @param rootUrl of that request: the contact of providers where the operator has set none
   */
  readonly connections: (rootUrl: string) => Promise<Connections>;

  // The memory of an instance: all of it may be lost at any time.
  readonly refusals: ExpiringCache<true>;
  /** Images that signers and site keys show and that are paid today, by the keys of their marks. */
  readonly paidToday: ExpiringCache<true>;
  readonly stockMemory: StockMemory;
  readonly credentialsByAccount: ExpiringCache<readonly KeyRecord[]>;
  readonly pastMonths: ReportServices['pastMonths'];
}

/** Connections for images that are not known: made once by each instance. */
export interface Connections extends Pick<StockServices, 'findProvider'> {
  readonly lambda: Lambda;
  readonly executions: ExpiringCache<Promise<number>>;
  readonly imageStore: ImageStore;
  readonly imageDomain: ImageDomain;
  /** Renditions that this instance knows to be stored, by their paths. */
  readonly renditions: ExpiringCache<RenditionNote>;
}
