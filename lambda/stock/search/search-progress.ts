/** What one request for a stock image has sent to providers, has taken of its caller's work, and failed at. */

import { secondsUntil } from '../../base/window';
import { requestsPerSearchMax } from '../../contract/providers';
import { type Refusal, serviceUnavailable } from '../../problems/problem';
import { countWork } from '../../quota/charge';
import { giveBack, type LimitServices, take, type Unit } from '../../quota/take';
import type { SearchCaller } from './search-caller';

/** A part of a search: searching at a slot, or delivering an image that was found. */
export interface SearchStep {
  /** Requests that were sent to a provider, attempts included. */
  readonly requests: number;
  /** Present where the step failed: a later attempt might find an image. */
  readonly failure?: {
    /** A table does not answer, or the renderer is busy. */
    readonly isOutage?: boolean | undefined;
    /** Moment (epoch, milliseconds) before which the provider is not asked again, where that is known. */
    readonly retryMs?: number | undefined;
  };
}

/** The outcome of a search that shows no image. */
export type NoImage =
  /** Every provider has answered, and none has a fitting image. */
  | { readonly outcome: 'none' }
  /** A limit of the caller is used up (`isOfCaller`), or a provider or the way to it failed. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal; readonly isOfCaller: boolean };

/** Counts the provider requests of one request, and takes its units of work: each at most once. */
export class SearchProgress {
  private steps: SearchStep[] = [];
  private isSearchDue: boolean;
  private searchRefusal: Refusal | undefined;
  private isRenditionDue: boolean;
  private renditionUnits: readonly Unit[] | undefined;

  constructor(
    private readonly services: LimitServices,
    private readonly caller: SearchCaller,
  ) {
    this.isSearchDue = !caller.isPaid;
    this.isRenditionDue = !caller.isMade;
  }

  /** Provider requests that are left for the next step. Those to a slot that failed do not count. */
  get requestsLeft(): number {
    const counted = this.steps.reduce((sum, { requests, failure }) => sum + (failure ? 0 : requests), 0);
    return Math.max(0, requestsPerSearchMax - counted);
  }

  /** `MISS` where a request was sent to a provider. */
  get cache(): 'HIT' | 'MISS' {
    return this.steps.some(({ requests }) => requests > 0) ? 'MISS' : 'HIT';
  }

  record(step: SearchStep): void {
    this.steps.push(step);
  }

  /** Forgets the steps, not the units that were taken: another provider takes over from those of the slots. */
  startOver(): void {
    this.steps = [];
  }

  /**
   * Takes the unit of the search, which all slots share; none for an image that is paid.
   * @returns the refusal where the caller's work is used up
   * @throws when the table refuses the call as such
   */
  async takeSearchUnit(): Promise<Refusal | undefined> {
    if (this.isSearchDue) {
      this.searchRefusal = await countWork(this.services, this.caller.workLimits, this.caller.id);
      this.isSearchDue = false;
    }
    return this.searchRefusal;
  }

  /**
   * Takes the unit of a rendition, which all images that are tried share; none where it was made before.
   * @returns the refusal where the caller's work is used up
   * @throws when the table refuses the call as such
   */
  async takeRenditionUnit(): Promise<Refusal | undefined> {
    if (!this.isRenditionDue) return undefined;
    const { services, caller } = this;
    const taking = await take(services, caller.workLimits, caller.id);
    if (taking.outcome === 'refused') return taking.refusal;
    this.renditionUnits = taking.units;
    this.isRenditionDue = false;
    return undefined;
  }

  /** Gives the unit of a rendition back that was there already: of two visitors at once, one has made it. */
  async giveRenditionUnitBack(): Promise<void> {
    await giveBack(this.services, this.renditionUnits ?? []);
    this.renditionUnits = undefined;
  }

  /** Has the next rendition counted, although that of another image was made for this request before. */
  requireRenditionUnit(): void {
    this.isRenditionDue = this.renditionUnits === undefined;
  }

  /** The end without an image: `none` where every step has succeeded, or the refusal of the worst failure. */
  endWithoutImage(): NoImage {
    const failures = this.steps.flatMap(({ failure }) => failure ?? []);
    if (failures.length === 0) return { outcome: 'none' };
    if (failures.some(({ isOutage }) => isOutage))
      return { outcome: 'refused', refusal: serviceUnavailable, isOfCaller: false };
    const retryMs = Math.min(...failures.map((failure) => failure.retryMs ?? Infinity));
    const nowMs = this.services.clock.nowMs();
    const retry = retryMs !== Infinity && { retryAfterS: secondsUntil(retryMs, nowMs) };
    return { outcome: 'refused', refusal: { code: 'upstream_unavailable', ...retry }, isOfCaller: false };
  }
}
