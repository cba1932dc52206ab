/** Lets a model look at the best candidates of a search, once for all requests with the same words, and orders them by what it saw. */

import type { Clock, Ids } from '../base/clock';
import type { Cache } from '../base/item-store';
import { poll } from '../base/poll';
import { createSingleFlight } from '../base/single-flight';
import type { Telemetry } from '../base/telemetry';
import type { Avoidable } from '../contract/request-bounds';
import { judgedMax } from '../contract/request-bounds';
import { judgeTimeoutMs } from '../contract/timeouts';
import { type Candidate, orientationOf } from '../images/image';
import type { Flaw, Verdict } from '../images/judgement';
import type { JudgeAnswer } from '../images/renderer-answer';
import type { JudgeJob } from '../images/renderer-job';
import { identityOf, sha256Hex } from '../requests/image-request';
import { renditionSourceOf } from './deliver-candidate';
import type { ProviderSearch } from './provider-request';

/** How long an answer stands, in milliseconds. */
const judgedForMs = 30 * 24 * 3_600_000;
/** How long a judge that gave no answer is not asked the same again, in milliseconds. */
const failedForMs = 3_600_000;
/** Pauses of requests that wait for the answer, in milliseconds. */
const pauses = { firstPauseMs: 100, longestPauseMs: 500, growth: 1.5 } as const;
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

/** Has the renderer ask the judge. @throws when it does not answer by the deadline (epoch, milliseconds) */
export type AskJudge = (job: JudgeJob, deadlineMs: number) => Promise<JudgeAnswer>;

export interface JudgeDeps {
  readonly ask: AskJudge;
  readonly cache: Pick<Cache, 'read' | 'write' | 'lease' | 'release'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/**
 * The candidates as the judge orders them; those that it left out follow in the order of the rules. Never throws: late,
 * broken or over its limits, the rules decide.
 * @param ranked by the rules, best first
 * @param avoid what the images must not show
 */
export type Judge = (
  search: ProviderSearch,
  ranked: readonly Candidate[],
  avoid: readonly Avoidable[],
) => Promise<readonly Candidate[]>;

export function createJudge({ ask, cache, clock, ids, telemetry }: JudgeDeps): Judge {
  const judging = createSingleFlight<Judged | undefined>();

  const store = async (key: string, judged: Judged | undefined) => {
    const untilMs = clock.nowMs() + (judged ? judgedForMs : failedForMs);
    await cache.write(key, { value: judged ?? null, freshUntilMs: untilMs, staleUntilMs: untilMs });
  };

  const question = async (
    search: ProviderSearch,
    ranked: readonly Candidate[],
    deadlineMs: number,
  ): Promise<Judged | undefined> => {
    const shown = ranked.slice(0, judgedMax).flatMap((candidate) => {
      const source = thumbnailOf(search, candidate);
      return source ? [{ candidate, source }] : [];
    });
    if (shown.length === 0) return undefined;
    const { query, lang } = search.subject;
    const answer = await ask(
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

  const judgedOf = async (
    key: string,
    search: ProviderSearch,
    ranked: readonly Candidate[],
  ): Promise<Judged | undefined> => {
    const endsMs = Math.min(search.deadlineMs, clock.nowMs() + judgeTimeoutMs);
    const read = async () => {
      const stored = await cache.read<Judged | null>(key);
      return stored && stored.freshUntilMs > clock.nowMs()
        ? { judged: stored.value ?? undefined }
        : undefined;
    };
    const settled = await read();
    if (settled) return settled.judged;
    const holder = ids.hex(8);
    const lease = await cache.lease<Judged | null>(key, holder, judgeTimeoutMs);
    if (lease.outcome !== 'leased') {
      const settled = await poll(await read(), (each) => each === undefined, read, {
        clock,
        endsMs,
        ...pauses,
      });
      return settled?.judged;
    }
    if (!(await search.caller.chargeJudgement?.())) {
      telemetry.count('judgements', { outcome: 'limited' });
      await cache.release(key, holder);
      return undefined;
    }
    let judged: Judged | undefined;
    try {
      judged = await question(search, ranked, endsMs);
    } catch (error) {
      telemetry.info('The judge did not answer', { reason: error instanceof Error ? error.message : '' });
    }
    telemetry.count('judgements', { outcome: judged ? 'judged' : 'failed' });
    await store(key, judged);
    return judged;
  };

  return async (search, ranked, avoid) => {
    if (ranked.length === 0) return ranked;
    try {
      const key = keyOf(search);
      const { result } = judging(key, () => judgedOf(key, search, ranked));
      return ordered(ranked, await result, avoid, search);
    } catch (error) {
      telemetry.error('Candidates were not judged', error);
      return ranked;
    }
  };
}

/** One answer for each provider, query, orientation and filters; sizes and seeds share it. */
function keyOf({ provider, request, subject: { lang } }: ProviderSearch): string {
  const { avoid, color, license } = request.filters;
  const identity = [identityOf(request.query), lang ?? null, avoid ?? null, color ?? null, license ?? null];
  return `JUDGED#${provider.name}#${orientationOf(request)}#${sha256Hex(JSON.stringify(identity))}`;
}

/** Where a small size of a candidate comes from, whole where its ratio is known. */
function thumbnailOf({ provider }: ProviderSearch, candidate: Candidate) {
  const { widthPx = 3, heightPx = 2 } = candidate;
  const scale = thumbnailPx / Math.max(widthPx, heightPx);
  const size = {
    widthPx: Math.max(1, Math.round(widthPx * scale)),
    heightPx: Math.max(1, Math.round(heightPx * scale)),
  };
  const source = provider.sourceFor(candidate, size, 'center');
  return source && renditionSourceOf(source, provider.capability.allowedHosts);
}

/** Without what is not wanted; what has its calm side where a text shall stand comes first, unless it does not fit. */
function ordered(
  ranked: readonly Candidate[],
  judged: Judged | undefined,
  avoid: readonly Avoidable[],
  { request: { filters } }: ProviderSearch,
): readonly Candidate[] {
  if (!judged) return ranked;
  const byId = new Map(ranked.map((candidate) => [candidate.id, candidate]));
  const seen = judged.images.flatMap(({ id, ...verdict }, index) => {
    const candidate = byId.get(id);
    byId.delete(id);
    return candidate
      ? [{ ...candidate, verdict: { ...verdict, ...(index === 0 && { alt: judged.alt }) } }]
      : [];
  });
  const refused = new Set(avoid.flatMap((kind) => unwanted[kind]));
  const wanted = seen.filter(({ verdict }) => !verdict.has.some((flaw) => refused.has(flaw)));
  const hasSpace = ({ verdict }: (typeof wanted)[number]) =>
    filters.space !== undefined && verdict.calm === filters.space && verdict.fit !== 'loose';
  return [...wanted.filter(hasSpace), ...wanted.filter((each) => !hasSpace(each)), ...byId.values()];
}
