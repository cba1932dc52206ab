/** What an image function does without any of its options. */

import type { PayOnce } from '../../lambda/serving/serve-image';

/** Serves without a mark of what is paid, as the service under test decides what is charged. */
const payEachTime: PayOnce = (_request, context, serve) => serve(context);

export const withoutOptions = {
  payOnce: () => payEachTime,
  anonymousLimit: {},
  edge: undefined,
  onRootUrl: () => undefined,
} as const;
