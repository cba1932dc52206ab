/** Counts the provider requests of one search, its units of the caller's work, and its failures. */

import { secondsUntil } from '../../base/window';
import { requestsPerSearchMax } from '../../contract/providers';
import { type Refusal, serviceUnavailable } from '../../problems/problem';
import type { RequestContext } from '../../quota/request-context';
import { giveBackUnits, type LimitServices, type TakeOutcome, takeUnits } from '../../quota/take';
import type { RequestBudget } from '../ask-provider';

/** The context of a search, which is counted as work of its caller unless an earlier payment stands. */
export interface SearchContext extends Omit<RequestContext, 'requestLimits' | 'claimed'> {
  /** Whether a rendition was counted for this very request in the last day: then none is counted again. */
  readonly isRenditionCounted: boolean;
}

/** A part of a search: searching at a slot, or delivering an image that was found. */
export interface SearchStep {
  /** Requests that were sent to a provider, attempts included. */
  readonly requests: number;
  /** Present where the step failed: a later attempt might find an image. */
  readonly failure?: {
    readonly isOutage?: boolean | undefined;
    /** Moment (epoch, milliseconds) before which the provider is not asked again, where that is known. */
    readonly retryMs?: number | undefined;
  };
}

/** A unit of a caller's work: taken at most once, however often it is asked for. */
class WorkUnit {
  private taken: TakeOutcome | undefined;

  constructor(
    private readonly services: LimitServices,
    private readonly context: SearchContext,
    private isDue: boolean,
  ) {}

  /** Lets the next `take` count a unit, although none was due. */
  makeDue(): void {
    this.isDue = true;
  }

  /** Takes the unit where it is due. @returns the refusal, if any */
  async take(): Promise<Refusal | undefined> {
    const { workLimits, requestId } = this.context;
    if (this.isDue) this.taken ??= await takeUnits(this.services, workLimits, requestId);
    return this.taken?.outcome === 'refused' ? this.taken.refusal : undefined;
  }

  async giveBack(): Promise<void> {
    if (this.taken && 'units' in this.taken) await giveBackUnits(this.services, this.taken.units);
    this.taken = undefined;
  }
}

/**
 * The progress of one request: its steps, and its units of work. `findChoice` records each search, and takes
 * the unit of the search before the first. `deliverEntry` records failures, and takes the unit of the
 * rendition, as `findPicked` does for a card; `deliverChoice` makes it due where a page gets another image.
 */
export class SearchProgress {
  private steps: SearchStep[] = [];
  /** Shared by all slots. */
  readonly searchUnit: WorkUnit;
  /** Shared by all images that are tried. */
  readonly renditionUnit: WorkUnit;

  constructor(
    private readonly services: LimitServices,
    private readonly context: SearchContext,
  ) {
    this.searchUnit = new WorkUnit(services, context, !context.settledPayment);
    this.renditionUnit = new WorkUnit(services, context, !context.isRenditionCounted);
  }

  /**
   * The provider requests that are left for the next step. Those to a slot that failed do not count, so that
   * a failing first slot does not leave the next one without a request.
   */
  get budget(): RequestBudget {
    const { account: share = 'anonymous', requestId } = this.context;
    const sentCount = this.steps.reduce((sum, { requests, failure }) => sum + (failure ? 0 : requests), 0);
    return { share, requestId, requestsMax: Math.max(0, requestsPerSearchMax - sentCount) };
  }

  get cache(): 'HIT' | 'MISS' {
    return this.steps.some(({ requests }) => requests > 0) ? 'MISS' : 'HIT';
  }

  /** Records a step that has ended. */
  record(step: SearchStep): void {
    this.steps.push(step);
  }

  /** Forgets the steps, not the units: another provider takes over from those of the slots. */
  startOver(): void {
    this.steps = [];
  }

  /** Says why there is no image: for the worst failure of a step, or as no provider has one. */
  refusalWithoutImage(): Refusal {
    const failures = this.steps.flatMap(({ failure }) => failure ?? []);
    if (failures.length === 0) return { code: 'no_image_found' };
    if (failures.some(({ isOutage }) => isOutage)) return serviceUnavailable;
    const retryMs = Math.min(...failures.map((failure) => failure.retryMs ?? Infinity));
    const nowMs = this.services.clock.nowMs();
    const retry = retryMs !== Infinity && { retryAfterS: secondsUntil(retryMs, nowMs) };
    return { code: 'upstream_unavailable', ...retry };
  }
}
