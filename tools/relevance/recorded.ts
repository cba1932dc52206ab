/**
 * Measures how well images fit on recorded answers of providers. A folder outside the repository holds them, as titles and
 * tags belong to their authors: `answers.ndjson` (one answer a line, written by `--record`), `queries.tsv` (kind, query;
 * the built-in ones without it), `judgements*.tsv` (query, image, grade 0–3) and `records.ndjson`, where numbers stand for
 * images.
 */

import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestsPerSearchMax, type StockProviderName } from '../../lambda/contract/providers';
import type { Candidate, Fit } from '../../lambda/images/image';
import { identityOf } from '../../lambda/requests/image-request';
import type { ProviderSettings } from '../../lambda/stock/providers/core';
import { createProvider } from '../../lambda/stock/providers/providers';
import { fitOf, ranked } from '../../lambda/stock/rank';
import type { StockProvider } from '../../lambda/stock/stock-provider';
import { understand } from '../../lambda/stock/understand';

/** The providers that are asked, one after the other, as the default slots are. */
const providerNames = ['openverse', 'wikimedia'] as const satisfies readonly StockProviderName[];
const fittingGrade = 2;

/** One answer as it was recorded, empty ones too. */
interface RecordedAnswer {
  readonly url: string;
  /** When it was recorded (epoch, milliseconds). */
  readonly atMs: number;
  readonly body: string;
}

/** What is shown for a query. */
export interface Pick {
  readonly kind: string;
  readonly query: string;
  /** Absent where nothing was found. */
  readonly image?: string;
  readonly fit?: Fit;
  /** Absent for an image that nobody has judged; 0 for none. */
  readonly grade?: number;
}

interface RecordedRun {
  readonly picks: readonly Pick[];
  /** Queries with an image that would do. */
  readonly answerable: ReadonlySet<string>;
  /** Requests that the queries would send, on average. */
  readonly requestsPerQuery: number;
  /** Queries that were left out, as an answer is not recorded. */
  readonly missing: readonly string[];
}

/** Where answers that are not recorded come from. */
export interface Recorder {
  readonly nowMs: () => number;
  /** Waits so many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly contact: string;
  /** Base URLs that replace the providers' own. */
  readonly endpoints?: Readonly<Partial<Record<string, string>>>;
  /** Value of a provider's key; empty without one. */
  readonly keyOf?: (provider: string) => string;
}

class NotRecorded extends Error {}

const rows = (path: string): readonly (readonly string[])[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split('\t'))
    : [];
const jsonLines = <T>(path: string): readonly T[] => rows(path).map((row) => JSON.parse(row.join('\t')));

/** Kind and text of each query of a folder, or the built-in ones. */
function queriesOf(folder: string): readonly (readonly [kind: string, query: string])[] {
  const own = rows(join(folder, 'queries.tsv')).map(([kind = '', query = '']) => [kind, query] as const);
  if (own.length > 0) return own;
  return rows(join(__dirname, 'built-in-queries.txt')).flatMap(([line = '']) => {
    const [kind = '', list = ''] = line.split(': ');
    return list.split(', ').map((query) => [kind, query] as const);
  });
}

/** Grades by query and image; an image is named by its id or by its number in `records.ndjson`. */
function gradesOf(folder: string): ReadonlyMap<string, number> {
  const records = jsonLines<{ n: number; id: string; commons?: { pageid: number } }>(
    join(folder, 'records.ndjson'),
  );
  const idsOf = new Map(
    records.map(({ n, id, commons }) => [String(n), [id, ...(commons ? [String(commons.pageid)] : [])]]),
  );
  const files = readdirSync(folder).filter((name) => /^judgements.*\.tsv$/.test(name));
  return new Map(
    files
      .toSorted()
      .flatMap((name) => rows(join(folder, name)))
      .flatMap(([query, image = '', grade]) =>
        [image, ...(idsOf.get(image) ?? [])].map((id) => [`${query}\t${id}`, Number(grade)] as const),
      ),
  );
}

/**
 * Searches for all queries of a folder as the service does, with recorded answers.
 * @param recorder asks the providers for what is not recorded, within their documented limits, and appends it; it ends
 * where a day's limit does, and goes on from there the next time
 */
export async function measureRecorded(folder: string, recorder?: Recorder): Promise<RecordedRun> {
  const path = join(folder, 'answers.ndjson');
  const recorded = jsonLines<RecordedAnswer>(path);
  const bodies = new Map(recorded.map(({ url, body }) => [url, body]));
  const grades = gradesOf(folder);
  const realFetch = globalThis.fetch;
  let sent = 0;
  const limits = new Map<string, { readonly take: () => Promise<void> }>();

  const replay = async (input: unknown, init?: RequestInit): Promise<Response> => {
    sent += 1;
    const url = String(input);
    const stored = bodies.get(url);
    if (stored !== undefined) return new Response(stored);
    if (!recorder) throw new NotRecorded();
    await limits.get(new URL(url).host)?.take();
    const response = await realFetch(url, init);
    const body = await response.text();
    if (!response.ok) return new Response(body, response);
    bodies.set(url, body);
    const answer: RecordedAnswer = { url, atMs: recorder.nowMs(), body };
    appendFileSync(path, `${JSON.stringify(answer)}\n`);
    return new Response(body);
  };

  const providers = providerNames.map((name) => {
    const endpoint = recorder?.endpoints?.[name] ?? recordedBase(recorded, name);
    const settings: ProviderSettings = {
      key: async () => recorder?.keyOf?.(name) ?? '',
      contact: () => recorder?.contact ?? 'none',
      clock: { nowMs: recorder?.nowMs ?? Date.now },
      ...(endpoint !== undefined && { baseUrl: endpoint }),
    };
    const provider = createProvider(name, settings);
    const host = endpoint === undefined ? provider.capability.allowedHosts[0] : new URL(endpoint).host;
    if (recorder && host !== undefined && endpoint === undefined)
      limits.set(host, limitOf(provider, recorded, host, recorder));
    return provider;
  });

  const picks: Pick[] = [];
  const missing: string[] = [];
  let requests = 0;
  globalThis.fetch = replay as typeof fetch;
  try {
    for (const [kind, query] of queriesOf(folder)) {
      sent = 0;
      const shown = await search(providers, query).catch((error: unknown) => {
        if (!(error instanceof NotRecorded)) throw error;
        return 'not recorded' as const;
      });
      if (shown === 'not recorded') {
        missing.push(query);
        continue;
      }
      requests += sent;
      const grade = shown ? grades.get(`${query}\t${shown.candidate.id}`) : 0;
      const shownImage = shown && { image: shown.candidate.id, fit: shown.fit };
      picks.push({ kind, query, ...shownImage, ...(grade !== undefined && { grade }) });
    }
  } finally {
    globalThis.fetch = realFetch;
  }
  const answerable = [...grades].filter(([, grade]) => grade >= fittingGrade);
  return {
    picks,
    answerable: new Set(answerable.map(([key]) => key.split('\t')[0] as string)),
    requestsPerQuery: requests / Math.max(1, picks.length),
    missing,
  };
}

/** Another base URL that answers of a provider were recorded from. */
function recordedBase(recorded: readonly RecordedAnswer[], name: string): string | undefined {
  const path = name === 'openverse' ? '/v1/images/' : '/w/api.php';
  const origin = recorded.map(({ url }) => new URL(url)).find(({ pathname }) => pathname === path)?.origin;
  return origin?.startsWith('https:') ? undefined : origin;
}

/** What the service would show: the first image that is not loose, or the first loose one. */
async function search(
  providers: readonly StockProvider[],
  query: string,
): Promise<{ readonly candidate: Candidate; readonly fit: Fit } | undefined> {
  const subject = understand(identityOf(query));
  let left = requestsPerSearchMax;
  let loose: { readonly candidate: Candidate; readonly fit: Fit } | undefined;
  const take = async () => left-- > 0;
  let thrown: unknown;
  for (const provider of providers) {
    if (!(await take())) break;
    const { ranksByRelevance: isRankedByRelevance } = provider.capability;
    const candidates = await provider
      .search({ subject, orientation: 'landscape' }, AbortSignal.timeout(600_000), take)
      .catch((error: unknown) => {
        thrown = error;
        return [];
      });
    if (thrown) throw new NotRecorded();
    const wish = { subject, orientation: 'landscape', avoid: subject.avoid, isRankedByRelevance } as const;
    const [candidate] = ranked(candidates, wish);
    if (!candidate) continue;
    const fit = fitOf(candidate, subject);
    if (fit !== 'loose') return { candidate, fit };
    loose ??= { candidate, fit };
  }
  return loose;
}

/** Keeps a provider's documented limits: waits for a minute, and ends with a day. */
function limitOf(
  { capability: { quota } }: StockProvider,
  recorded: readonly RecordedAnswer[],
  host: string,
  { nowMs, sleep }: Recorder,
) {
  const dayMs = 24 * 3_600_000;
  const moments = recorded.filter(({ url }) => new URL(url).host === host).map(({ atMs }) => atMs);
  const within = (ms: number) => moments.filter((atMs) => atMs > nowMs() - ms).length;
  return {
    async take() {
      if (within(dayMs) >= (quota.perDay ?? Number.POSITIVE_INFINITY)) throw new NotRecorded();
      while (within(60_000) >= (quota.perMinute ?? Number.POSITIVE_INFINITY)) await sleep(1_000);
      moments.push(nowMs());
    },
  };
}

const share = (grades: readonly number[]) =>
  grades.length === 0
    ? '–'
    : (grades.filter((grade) => grade >= fittingGrade).length / grades.length).toFixed(2);

/** The figures of a run as text; what changed since another run of the same queries, where that is known. */
export function recordedReport(run: RecordedRun, before: readonly Pick[] = []): string {
  const { picks, answerable, requestsPerQuery, missing } = run;
  const judged = (some: readonly Pick[]) => some.flatMap(({ grade }) => grade ?? []);
  const fits = (['exact', 'partial', 'loose'] as const).map((fit) => {
    const grades = judged(picks.filter((pick) => pick.fit === fit));
    return `  ${fit.padEnd(8)} right in ${share(grades)} of ${grades.length}`;
  });
  const measured = picks.filter(({ query }) => answerable.has(query));
  const kinds = [...new Set(measured.map(({ kind }) => kind))].map((kind) => {
    const ofKind = measured.filter((pick) => pick.kind === kind);
    return `  ${kind.padEnd(10)} ${String(ofKind.length).padStart(3)} queries, P@1 ${share(judged(ofKind))}`;
  });
  const empty = picks.filter(({ image }) => image === undefined).length;
  const earlier = new Map(before.map(({ query, grade }) => [query, grade]));
  const changed = (isBetter: boolean) =>
    picks.filter(({ query, grade }) => {
      const was = earlier.get(query);
      return was !== undefined && grade !== undefined && (isBetter ? grade > was : grade < was);
    });
  const unjudged = picks.filter(({ grade }) => grade === undefined);
  return [
    'Fit, where the image was judged',
    ...fits,
    '',
    `No image: ${empty} of ${picks.length} queries. Requests: ${requestsPerQuery.toFixed(2)} a query.`,
    `P@1: ${share(judged(measured))} of ${measured.length} answerable queries, ${share(judged(measured.filter(({ image }) => image !== undefined)))} of those with an image.`,
    ...kinds,
    ...(before.length > 0
      ? [
          '',
          `Since the last run: better ${changed(true).length}, worse ${changed(false).length}`,
          ...changed(false).map(({ query }) => `  worse: ${query}`),
        ]
      : []),
    ...(unjudged.length > 0
      ? ['', ...unjudged.map(({ query, image }) => `UNJUDGED\t${query}\t${image}`)]
      : []),
    ...(missing.length > 0 ? ['', `Not recorded: ${missing.length} queries; --record asks for them.`] : []),
    '',
  ].join('\n');
}
