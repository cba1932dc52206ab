/** The plans: what each may spend and see, what it costs, and how API Gateway throttles its callers. */

/** The plans, the smallest first. */
export const planNames = ['free', 'pro', 'business', 'enterprise'] as const;
/** The plan of an account, on the record of each of its keys. */
export type PlanName = (typeof planNames)[number];

/**
 * How "unlimited" is written in a rate-limit header: the largest integer that every client can hold (2³¹ − 1).
 */
export const unlimitedRequests = 2_147_483_647;

/** What an account on a plan may do in a month, a day or an hour, and at once. */
export interface Plan {
  readonly name: PlanName;
  /** Requests per UTC calendar month; `unlimitedRequests` means that no limit is enforced. */
  readonly monthlyRequests: number;
  /** Images an account may generate concurrently. */
  readonly generationsAtOnce: number;
  /** AI images that may be begun for an account by its live keys in a UTC calendar month, free variations and those of the sandbox included. */
  readonly generationsPerMonth: number;
  /** Deliveries that cost nothing, per UTC clock hour. */
  readonly freeDeliveriesPerHour: number;
  /** How much of `/api/usage` is broken down. */
  readonly analytics: 'totals' | 'by-day' | 'by-key';
  /** What the operator calls it; absent where it is called as by default. */
  readonly texts?: PlanTexts;
}

/** The limits in force: the defaults with what the operator has replaced. */
export type Plans = Readonly<Record<PlanName, Plan>>;

/** The limits of a plan that an operator can replace, each with the most that it may be; all are at least 1. */
export const planLimitsMax = {
  monthlyRequests: unlimitedRequests,
  generationsAtOnce: 1_000,
  generationsPerMonth: unlimitedRequests,
  freeDeliveriesPerHour: unlimitedRequests,
} as const satisfies Partial<Record<keyof Plan, number>>;

/** Defaults, from the specification; an operator can replace the limits (`plans` setting). */
export const defaultPlans: Plans = {
  free: {
    name: 'free',
    monthlyRequests: 1_000,
    generationsAtOnce: 10,
    generationsPerMonth: 25,
    freeDeliveriesPerHour: 600,
    analytics: 'totals',
  },
  pro: {
    name: 'pro',
    monthlyRequests: 50_000,
    generationsAtOnce: 25,
    generationsPerMonth: 500,
    freeDeliveriesPerHour: 3_000,
    analytics: 'by-day',
  },
  business: {
    name: 'business',
    monthlyRequests: 500_000,
    generationsAtOnce: 100,
    generationsPerMonth: 4_000,
    freeDeliveriesPerHour: 15_000,
    analytics: 'by-key',
  },
  enterprise: {
    name: 'enterprise',
    monthlyRequests: unlimitedRequests,
    generationsAtOnce: 200,
    generationsPerMonth: 20_000,
    freeDeliveriesPerHour: 60_000,
    analytics: 'by-key',
  },
};

/** Items over which the requests of an account without a limit are spread: there is no limit that one item has to keep. */
export const unlimitedCounterShards = 8;

/**
 * Units of `work` per UTC clock hour: a search, a new rendition and a delivery that is free by rule take one each. Of an
 * account by its plan, of its test keys, of an anonymous address, of all of them together, and of a visitor's address
 * under a site key; and new renditions of an image that is paid today, beyond that of its first delivery.
 */
export const workPerHour = {
  free: 300,
  pro: 2_000,
  business: 10_000,
  enterprise: 40_000,
  test: 100,
  anonymous: 30,
  allAnonymous: 3_000,
  visitor: 60,
  paidImage: 60,
} as const satisfies Readonly<Record<PlanName | 'test', number>> & Readonly<Record<string, number>>;

/** AI images that may be begun for one account and for all accounts together in a minute, and for test keys in a month. */
export const generationBounds = { accountPerMinute: 30, allPerMinute: 120, testPerMonth: 25 } as const;

/** Of the operator's day of generations, no account has more than this share, and none less than `accountMin`. */
export const generationShare = { account: 0.25, accountMin: 25 } as const;

/** Requests per UTC clock hour without a key, per client IP address. */
export const anonymousRequestsPerHour = 10;

/** Requests per UTC clock hour of all test keys of one account. */
export const testRequestsPerHour = 100;

/** Images that the test keys of one account may generate concurrently. */
export const testGenerationsAtOnce = 10;

/** Deliveries to the test keys of one account that cost nothing, per UTC clock hour. */
export const testFreeDeliveriesPerHour = 100;

/** The share of an hour's free deliveries that may be renditions made for them: one in so many. */
export const freeDeliveriesPerNewRendition = 3;

/**
 * Requests per UTC clock hour without a key for which a stock provider is asked: per client IP address, of IPv6 per /64
 * network, and per /48 network, of which one customer may have all.
 */
export const anonymousSearches = { perHour: 10, perNetworkAndHour: 100 } as const;

/** Renditions that are made for all callers without a key together, per UTC clock hour. */
export const anonymousRenditionsPerHour = 3_000;

/** Renditions that are made for a paid image of one signer or site key, per UTC clock hour, beside the one that was paid. */
export const renditionsPerPaidImageAndHour = 60;

/** Requests of one account per UTC clock hour for which a stock provider is asked: a share of its month, and never fewer. */
export const accountSearches = { shareOfMonth: 0.02, perHourMin: 100 } as const;

/** Searches per UTC clock hour that one client IP address may cause under a site key. */
export const siteSearchesPerClientPerHour = 20;

/** Reports of `/api/usage` for one account, per UTC clock minute. */
export const usageReportsPerMinute = 30;

/**
 * Images that one client IP address may have charged to a site key per UTC clock hour. Those that are paid already do not
 * count.
 */
export const siteImagesPerClientPerHour = 120;

/** The share of a site key's monthly limit that requests with neither `Origin` nor `Referer` may spend. */
export const unprovenShareOfSite = 0.1;

/** Prompts of one account per UTC clock hour that the generator may refuse; then it is asked for no more. */
export const refusedPromptsPerHour = 20;

/**
 * How the requests per minute of a model are shared: at most half for work that costs nothing; for one account at most
 * 40 %, or 2, of that half, and of the minute that charged work books when the running one is full.
 */
export const modelShares = { free: 0.5, account: 0.4, accountMin: 2 } as const;

/**
 * How a limit that all accounts share is divided, that of a stock provider and that of the day's generations: an account
 * that has had a fifth of it, or 2, takes from its first half alone, and from the rest as the window passes.
 */
export const sharedLimits = { open: 0.5, account: 0.2, accountMin: 2 } as const;

/**
 * Tiers of API Gateway usage plans. Each has one key, whose throttle all callers of the tier share; the exact quota is
 * ours. `anonymous` also carries callers whose key was refused.
 */
export const tiers = ['anonymous', 'test', ...planNames] as const;
/** Which usage plan of API Gateway a caller belongs to. */
export type Tier = (typeof tiers)[number];

/** Requests a second that API Gateway admits of all callers of a tier together. */
export const tierPerSecond: Readonly<Record<Tier, number>> = {
  anonymous: 50,
  test: 200,
  free: 800,
  pro: 2_000,
  business: 3_000,
  enterprise: 4_000,
};

/** What a plan is called, costs and includes, in words for callers. */
export interface PlanTexts {
  readonly title: string;
  readonly price: string;
  readonly features: string;
}

/** Months of usage that `by-key` plans see, the running one included: each can be compared with the same a year before. */
export const usageHistoryMonths = 13;

/** Only the docs function calls it: a function, so that the bundles of the hot path leave the texts out. */
export const planTexts = (): Readonly<Record<PlanName, PlanTexts>> => ({
  free: { title: 'Free', price: '$0', features: 'API key, AI images, basic support' },
  pro: { title: 'Pro', price: '$29 per month', features: 'usage by day and source, priority support' },
  business: {
    title: 'Business',
    price: '$199 per month',
    features: `usage by key and ${usageHistoryMonths} months of history, service level agreement`,
  },
  enterprise: {
    title: 'Enterprise',
    price: 'custom',
    features: 'everything in Business, dedicated support, custom service level agreement',
  },
});
