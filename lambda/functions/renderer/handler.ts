/** The renderer function: makes one rendition and returns it, or does a background job. */

import type { Clock } from '../../base/clock';
import { withDeadline } from '../../base/deadline';
import type { Telemetry } from '../../base/telemetry';
import { rendererMarginMs } from '../../contract/timeouts';
import { type RenderServices, renderAndStore } from '../../images/render';
import type { RenditionJob, RenditionOutcome, UseReport } from '../../images/renderer-job';
import type { SendReport } from './report-main';

/** The part of Lambda's context that is used. */
interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

/** What the renderer works with. */
export interface RendererServices extends RenderServices {
  /** Reports a use to its provider. @throws when it failed and may be tried again. */
  readonly reportUse: SendReport;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

type RendererHandler = (event: unknown, context: InvocationContext) => Promise<RendererAnswer>;

/** `done` is for a background job, whose sender has not waited. */
type RendererAnswer = RenditionOutcome | { readonly outcome: 'done' };

/** Errors are logged here and thrown on: the caller sees a failed function, and Lambda repeats a background job. */
export function rendererHandler(services: RendererServices): RendererHandler {
  const { clock, telemetry } = services;
  return async (event, context) => {
    try {
      const endsMs = clock.nowMs() + context.getRemainingTimeInMillis() - rendererMarginMs;
      return await withDeadline(clock, endsMs, (signal) =>
        answer(services, event as RenditionJob | UseReport, signal),
      );
    } catch (error) {
      telemetry.error('The renderer failed', error);
      throw error;
    }
  };
}

async function answer(
  services: RendererServices,
  event: RenditionJob | UseReport,
  signal: AbortSignal,
): Promise<RendererAnswer> {
  if ('kind' in event) {
    await services.reportUse(event, signal);
    return { outcome: 'done' };
  }
  const { telemetry } = services;
  const outcome = await renderAndStore(services, event, signal);
  telemetry.count('renditions', { outcome: outcome.outcome, source: event.source.kind });
  if (outcome.outcome === 'unusable') telemetry.info('An original is unusable', { reason: outcome.reason });
  return outcome;
}
