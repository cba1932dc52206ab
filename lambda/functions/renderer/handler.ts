/** The renderer function: makes one rendition or placeholder and returns it, or does a background job. */

import type { Clock } from '../../base/clock';
import { withDeadline } from '../../base/deadline';
import type { Telemetry } from '../../base/telemetry';
import { rendererMarginMs } from '../../contract/timeouts';
import type { Placeholder } from '../../images/image';
import type { Render } from '../../images/render';
import type { RendererAnswer } from '../../images/renderer-answer';
import {
  type BackgroundJob,
  type LookJob,
  type PlaceholderJob,
  readBackgroundJob,
  readLookJob,
  readPlaceholderJob,
  readRenditionJob,
} from '../../images/renderer-job';

/** The part of Lambda's context that is used. */
interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

/** The kinds of work that the renderer does, one function each. */
export interface RendererDeps {
  readonly render: Render;
  /** Makes a placeholder from a BlurHash. @throws when the text is not a BlurHash */
  readonly makePlaceholder: (job: PlaceholderJob) => Promise<Placeholder>;
  /** Asks the judge or the rewriter. */
  readonly look: (job: LookJob, signal: AbortSignal) => Promise<RendererAnswer>;
  /** Does a background job. @throws when it failed and may be tried again. */
  readonly work: (job: BackgroundJob, signal: AbortSignal) => Promise<Placeholder | undefined>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

type RendererHandler = (event: unknown, context: InvocationContext) => Promise<RendererAnswer>;

/** Errors are logged here and thrown on: the caller sees a failed function, and Lambda repeats a background job. */
export function createHandler(deps: RendererDeps): RendererHandler {
  const { clock, telemetry } = deps;
  return async (event, context) => {
    try {
      const endsMs = clock.nowMs() + context.getRemainingTimeInMillis() - rendererMarginMs;
      return await withDeadline(clock, endsMs, (signal) => answer(deps, event, signal));
    } catch (error) {
      telemetry.error('The renderer failed', error);
      throw error;
    }
  };
}

async function answer(
  { render, makePlaceholder, look, work, telemetry }: RendererDeps,
  event: unknown,
  signal: AbortSignal,
): Promise<RendererAnswer> {
  const looking = readLookJob(event);
  if (looking) return look(looking, signal);
  const background = readBackgroundJob(event);
  if (background) {
    const placeholder = await work(background, signal);
    return placeholder ? { outcome: 'made', placeholder } : { outcome: 'done' };
  }
  const small = readPlaceholderJob(event);
  if (small) return { outcome: 'made', placeholder: await makePlaceholder(small) };
  const job = readRenditionJob(event);
  const outcome = await render(job, signal);
  telemetry.count('renditions', { outcome: outcome.outcome, source: job.source.kind });
  if (outcome.outcome === 'unusable') telemetry.info('An original is unusable', { reason: outcome.reason });
  return outcome;
}
