/** Has a model shorten a prompt that the word tables cannot, before an engine is searched that requires all words. */

import { rewriterTimeoutMs } from '../contract/timeouts';
import type { RewriteAnswer } from '../images/renderer-answer';
import type { RewriteJob } from '../images/renderer-job';
import { createModelAnswers, type ModelAnswersDeps } from './model-answers';
import type { ProviderSearch } from './provider-request';
import { isBeyondWords, type Subject, understand } from './understand';
import { wordsOf } from './words';

/** Has the renderer send a request to the rewriter. @throws when it does not answer by the deadline (epoch, milliseconds) */
export type RequestRewriting = (job: RewriteJob, deadlineMs: number) => Promise<RewriteAnswer>;

/** The rewriter, and where its answers are cached. */
interface RewriteDeps extends ModelAnswersDeps {
  readonly request: RequestRewriting;
}

/**
 * The subject by which a provider is searched; without an answer it is the search's own.
 * @throws when the search cannot be charged
 */
export type Rewrite = (search: ProviderSearch) => Promise<Subject>;

/** Only prompts that no word table shortens are sent to the model. */
export function createRewrite({ request, ...deps }: RewriteDeps): Rewrite {
  const once = createModelAnswers<NonNullable<RewriteAnswer['searches']>>(deps, {
    kind: 'rewriting',
    count: (outcome) => deps.telemetry.count('rewritings', { outcome }),
    timeoutMs: rewriterTimeoutMs,
  });
  return async (search) => {
    const { provider, subject, caller } = search;
    if (!provider.capability.requiresAllWords || !isBeyondWords(subject)) return subject;
    // Whoever may not search has nothing to rewrite.
    if (await caller.chargeSearch()) return subject;
    const { query, lang } = subject;
    const job: RewriteJob = { kind: 'rewrite', query, ...(lang !== undefined && { lang }) };
    const answer = await once(
      search,
      [query, lang ?? null],
      async (deadlineMs) => (await request(job, deadlineMs)).searches,
    );
    // Words alone: an engine may read other characters as operators.
    const searches = (answer ?? []).map((each) => wordsOf(each).join(' ')).filter((each) => each !== '');
    const { words, head } = understand(searches[0] ?? '');
    const { head: _, ...own } = subject;
    // What images are compared with from here on: a prompt's own words name hardly any of them.
    return words.length === 0 ? subject : { ...own, words, ...(head !== undefined && { head }), searches };
  };
}
