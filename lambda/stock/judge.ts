/** Lets a model look at the best candidates of a search, once for all requests with the same words, and orders them by what it saw. */

import type { Avoidable } from '../contract/request-bounds';
import { judgedMax } from '../contract/request-bounds';
import { judgeTimeoutMs } from '../contract/timeouts';
import { type Candidate, orientationOf } from '../images/image';
import type { Flaw, Verdict } from '../images/judgement';
import type { JudgeAnswer } from '../images/renderer-answer';
import type { JudgeJob } from '../images/renderer-job';
import { renditionSourceOf } from './deliver-candidate';
import { createModelAnswers, type ModelAnswersDeps } from './model-answers';
import type { ProviderSearch } from './provider-request';

/** Longer side of the small images that the judge is shown, in pixels. */
const thumbnailPx = 320;

/** Which flaws a page means that wants none of a kind. */
const unwanted: Readonly<Record<Avoidable, readonly Flaw[]>> = {
  people: ['people'],
  text: ['text', 'logo', 'watermark'],
};

/** What the judge said about candidates, by their ids; nothing where it gave no answer. */
interface Judged {
  readonly images: readonly (Verdict & { readonly id: string })[];
  readonly alt: string;
}

/** Has the renderer send a request to the judge. @throws when it does not answer by the deadline (epoch, milliseconds) */
export type RequestJudgement = (job: JudgeJob, deadlineMs: number) => Promise<JudgeAnswer>;

/** The judge, and where its answers are cached. */
interface JudgeDeps extends ModelAnswersDeps {
  readonly request: RequestJudgement;
}

/**
 * The candidates as the judge orders them; those that it left out follow in the order of the rules. Where it is late,
 * broken or over its limits, the rules decide.
 * @param ranked by the rules, best first
 * @param avoid what the images must not show
 */
export type Judge = (
  search: ProviderSearch,
  ranked: readonly Candidate[],
  avoid: readonly Avoidable[],
) => Promise<readonly Candidate[]>;

/** One answer is cached for 30 days. */
export function createJudge({ request, ...deps }: JudgeDeps): Judge {
  const once = createModelAnswers<Judged>(deps, {
    kind: 'judgement',
    count: (outcome) => deps.telemetry.count('judgements', { outcome }),
    timeoutMs: judgeTimeoutMs,
  });

  const judge = async (
    search: ProviderSearch,
    ranked: readonly Candidate[],
    deadlineMs: number,
  ): Promise<Judged | undefined> => {
    const shown = ranked.slice(0, judgedMax).flatMap((candidate) => {
      const shown = thumbnailOf(search, candidate);
      return shown ? [{ candidate, source: shown.thumbnail }] : [];
    });
    if (shown.length === 0) return undefined;
    const { query, lang } = search.subject;
    const answer = await request(
      {
        kind: 'judge',
        query,
        ...(lang !== undefined && { lang }),
        images: shown.map(({ candidate, source }) => {
          const { title } = candidate.description;
          return { source, ...(title !== undefined && { title }) };
        }),
      },
      deadlineMs,
    );
    if (answer.outcome !== 'judged') return undefined;
    const images = answer.images.flatMap(({ index, ...verdict }) => {
      const id = shown[index]?.candidate.id;
      return id === undefined ? [] : [{ ...verdict, id }];
    });
    return { images, alt: answer.alt };
  };

  return async (search, ranked, avoid) => {
    if (ranked.length === 0) return ranked;
    const judged = await once(search, identityOfSearch(search), (deadlineMs) =>
      judge(search, ranked, deadlineMs),
    );
    return ordered(ranked, judged, avoid, search);
  };
}

/** One answer for each provider, query, orientation and filters; sizes and seeds share it. */
function identityOfSearch({ provider, request, subject: { query, lang } }: ProviderSearch): unknown[] {
  const { avoid, color, license } = request.filters;
  const filters = [avoid ?? null, color ?? null, license ?? null];
  return [provider.name, orientationOf(request), query, lang ?? null, ...filters];
}

/** Where a small size of a candidate comes from, whole where its ratio is known. */
export function thumbnailOf({ provider }: Pick<ProviderSearch, 'provider'>, candidate: Candidate) {
  const { widthPx = 3, heightPx = 2 } = candidate;
  const scale = thumbnailPx / Math.max(widthPx, heightPx);
  const size = {
    widthPx: Math.max(1, Math.round(widthPx * scale)),
    heightPx: Math.max(1, Math.round(heightPx * scale)),
  };
  const offered = provider.sourceFor(candidate, size, 'center');
  const thumbnail = offered && renditionSourceOf(offered, provider.capability.allowedHosts);
  return thumbnail && { thumbnail, isHotlinked: offered.kind === 'hotlink' };
}

/** Without what is not wanted; what has its calm side where a text shall stand comes first, unless it does not fit. */
function ordered(
  ranked: readonly Candidate[],
  judged: Judged | undefined,
  avoid: readonly Avoidable[],
  // It writes English where it is told no language.
  { request: { filters }, subject: { lang: altLang = 'en' } }: ProviderSearch,
): readonly Candidate[] {
  if (!judged) return ranked;
  const byId = new Map(ranked.map((candidate) => [candidate.id, candidate]));
  const inOrder = judged.images.flatMap(({ id, ...verdict }, index) => {
    const candidate = byId.get(id);
    byId.delete(id);
    return candidate
      ? [{ ...candidate, verdict: { ...verdict, ...(index === 0 && { alt: judged.alt, altLang }) } }]
      : [];
  });
  const refused = new Set(avoid.flatMap((kind) => unwanted[kind]));
  const wanted = inOrder.filter(({ verdict }) => !verdict.has.some((flaw) => refused.has(flaw)));
  const hasSpace = ({ verdict }: (typeof wanted)[number]) =>
    verdict.calm === filters.space && verdict.fit !== 'loose';
  return [...wanted.filter(hasSpace), ...wanted.filter((each) => !hasSpace(each)), ...byId.values()];
}
