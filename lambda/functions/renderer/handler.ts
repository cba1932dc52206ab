/** The renderer function: makes one rendition and returns it, or does a background job. */

import { withDeadline } from '../../base/deadline';
import { rendererMarginMs } from '../../contract/timeouts';
import { type RenderServices, renderAndStore } from '../../images/render';
import type { RenditionJob, RenditionOutcome, UseReport } from '../../images/renderer-job';
import { type InvokedHandler, invokedHandler } from '../start-function';
import type { ReportServices } from './send-report';

/** `done` is for a background job, whose sender has not waited. */
type RendererAnswer = RenditionOutcome | { readonly outcome: 'done' };

/** What the renderer works with. */
export type RendererServices = RenderServices & ReportServices;

/** Whoever invoked it sees a failed function, and Lambda repeats a background job. */
export function rendererHandler(services: RendererServices): InvokedHandler<RendererAnswer> {
  return invokedHandler(services, 'The renderer failed', (event: RenditionJob | UseReport, endsMs) =>
    withDeadline(services.clock, endsMs - rendererMarginMs, (signal) => answer(services, event, signal)),
  );
}

async function answer(
  services: RendererServices,
  event: RenditionJob | UseReport,
  signal: AbortSignal,
): Promise<RendererAnswer> {
  if ('kind' in event) {
    const { sendReport } = await import('./send-report');
    await sendReport(services, event, signal);
    return { outcome: 'done' };
  }
  const outcome = await renderAndStore(services, event, signal);
  services.telemetry.count('renditions', { outcome: outcome.outcome, source: event.source.kind });
  if (outcome.outcome === 'unusable')
    services.telemetry.info('An original is unusable', { reason: outcome.reason });
  return outcome;
}
