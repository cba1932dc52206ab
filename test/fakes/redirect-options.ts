/** What an image function does without any of its options. */

export const withoutOptions = {
  loadOnce: undefined,
  hasDecided: () => false,
  anonymousLimit: {},
  judgementsPerDay: undefined,
  edge: undefined,
  onRootUrl: () => undefined,
} as const;
