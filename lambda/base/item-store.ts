/** Stores of items by key, shared by all callers: what the service remembers of stock images, and what it caches. */

/** A stored value and how fresh it is; times are milliseconds since the epoch. */
export interface Stored<T> {
  readonly value: T;
  readonly freshUntilMs: number;
  /** Until then the value may still be used, such as while a provider fails. */
  readonly staleUntilMs: number;
}

/** Each item holds a value, or the counts of a counter, and at most one lease. */
export interface ItemStore {
  /**
   * The value under a key, fresh or stale, or `undefined`. Expiry is checked by the code, as the engine deletes late.
   * @throws when the table does not answer within its deadline.
   */
  read<T>(key: string): Promise<Stored<T> | undefined>;
  /** As `read`, and sure to see every write that ended before. */
  readLatest<T>(key: string): Promise<Stored<T> | undefined>;
  /**
   * Stores a value and ends the lease on its key.
   * @param holder of the lease, where nobody else may write: a copy of the write that comes late changes nothing then
   */
  write<T>(key: string, stored: Stored<T>, holder?: string): Promise<void>;
  /**
   * Takes the lease on a key, such as to be the only one that sends a request to a provider.
   * @returns `leased` to exactly one caller until `leaseMs` from now; `fresh` with the value when another has
   * stored it meanwhile; otherwise `busy`.
   */
  lease<T>(key: string, holder: string, leaseMs: number): Promise<LeaseOutcome<T>>;
  /** Ends a lease without a value, so that the next caller need not wait for it to run out. */
  release(key: string, holder: string): Promise<void>;
  /**
   * Takes one unit from every window of a counter in one conditional write, or from none when one of them is used up.
   * @param endsMs when the longest window ends; the counter may be forgotten after it
   * @returns whether the units were taken
   * @throws when it is not known whether they were.
   */
  take(counter: string, windows: readonly CounterWindow[], endsMs: number): Promise<boolean>;
  /** Units taken from each window of a counter, by its name; read with strong consistency. */
  counts(counter: string): Promise<Readonly<Record<string, number>>>;
}

/** What may be lost at any time and costs requests only: notes of renditions. */
export type Cache = ItemStore;

/** One of the windows that a counter counts in; its name says which one, such as `m1415` for a minute of the day. */
export interface CounterWindow {
  readonly name: string;
  readonly limit: number;
}

/** What became of asking for the lease on a key. */
export type LeaseOutcome<T> =
  | { readonly outcome: 'leased' }
  | { readonly outcome: 'fresh'; readonly stored: Stored<T> }
  | { readonly outcome: 'busy' };
