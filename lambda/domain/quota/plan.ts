/** The subscription plans: what each may spend and see. */

export const planNames = ['free', 'pro', 'business', 'enterprise'] as const;
export type PlanName = (typeof planNames)[number];

/**
 * How "unlimited" is written in a rate-limit header: the largest integer that every client can hold (2³¹ − 1).
 */
export const unlimitedRequests = 2_147_483_647;

export interface Plan {
  readonly name: PlanName;
  /** Requests per UTC calendar month; `unlimitedRequests` means that no limit is enforced. */
  readonly monthlyRequests: number;
  /** Images an account may have in the making at the same time. */
  readonly generationsAtOnce: number;
  /** How much of `/api/usage` is broken down. */
  readonly analytics: 'totals' | 'by-day' | 'by-key';
}

export type Plans = Readonly<Record<PlanName, Plan>>;

export const defaultPlans: Plans = {
  free: { name: 'free', monthlyRequests: 1_000, generationsAtOnce: 10, analytics: 'totals' },
  pro: { name: 'pro', monthlyRequests: 50_000, generationsAtOnce: 25, analytics: 'by-day' },
  business: { name: 'business', monthlyRequests: 500_000, generationsAtOnce: 100, analytics: 'by-key' },
  enterprise: {
    name: 'enterprise',
    monthlyRequests: unlimitedRequests,
    generationsAtOnce: 200,
    analytics: 'by-key',
  },
};

/** Requests per UTC clock hour without a key, per client IP address. */
export const anonymousRequestsPerHour = 10;

/** Requests per UTC clock hour of all test keys of one account. */
export const testRequestsPerHour = 100;

/** Images that the test keys of one account may have in the making at the same time. */
export const testGenerationsAtOnce = 10;

/** Whether a string names a plan. */
export function isPlanName(value: unknown): value is PlanName {
  return (planNames as readonly unknown[]).includes(value);
}
