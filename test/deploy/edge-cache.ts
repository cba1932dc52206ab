/** What a distribution keeps of the answers of its origin. */

/** An answer of the origin, as it is sent to the viewer. */
export interface OriginAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

interface CachedAnswer {
  readonly answer: OriginAnswer;
  /** Seconds since it was stored. */
  readonly ageS: number;
  /** Whether it may be sent at once, sent while it is fetched again, or only in place of an error. */
  readonly use: 'fresh' | 'while-revalidating' | 'if-error';
}

/** Answers by key, as CloudFront keeps them. */
export interface EdgeCache {
  find(key: string): CachedAnswer | undefined;
  /** Stores an answer if it may be kept; otherwise an earlier one is forgotten, unless this one is an error. */
  store(key: string, answer: OriginAnswer): void;
  /** Forgets all answers. */
  forget(): void;
}

const entriesMax = 1_000;

/** @param freshSMax longest time that an answer counts as fresh, in seconds */
export function createEdgeCache(freshSMax: number, nowMs: () => number): EdgeCache {
  const entries = new Map<string, { readonly answer: OriginAnswer; readonly storedMs: number }>();

  return {
    forget: () => entries.clear(),
    find(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      const { fresh, stale, error } = lifetimesOf(entry.answer, freshSMax);
      const { answer } = entry;
      const ageS = Math.floor((nowMs() - entry.storedMs) / 1_000);
      if (ageS < fresh) return { answer, ageS, use: 'fresh' };
      if (ageS < fresh + stale) return { answer, ageS, use: 'while-revalidating' };
      if (ageS < fresh + error) return { answer, ageS, use: 'if-error' };
      entries.delete(key);
      return undefined;
    },
    store(key, answer) {
      if (answer.status >= 400) return;
      entries.delete(key);
      if (lifetimesOf(answer, freshSMax).fresh <= 0) return;
      entries.set(key, { answer, storedMs: nowMs() });
      const [oldest] = entries.keys();
      if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest);
    },
  };
}

/** Seconds that an answer is fresh, and after that may be used while it is fetched again or cannot be. */
function lifetimesOf({ headers }: OriginAnswer, freshSMax: number) {
  const directives = new Map(
    String(headers['cache-control'] ?? 'no-store')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', value = ''] = part.trim().split('=');
        return [name, value] as const;
      }),
  );
  const seconds = (name: string) => Number(directives.get(name) ?? 0);
  if (['private', 'no-store', 'no-cache'].some((name) => directives.has(name)))
    return { fresh: 0, stale: 0, error: 0 };
  return {
    fresh: Math.min(freshSMax, seconds(directives.has('s-maxage') ? 's-maxage' : 'max-age')),
    stale: seconds('stale-while-revalidate'),
    error: seconds('stale-if-error'),
  };
}
