/** Which environment variables each function reads, from the settings file of the function itself. */

import type { FunctionName } from '../../lambda/contract/functions';
import { settings as authorizer } from '../../lambda/functions/authorizer/settings';
import { settings as docs } from '../../lambda/functions/docs/settings';
import { settings as generator } from '../../lambda/functions/generator/settings';
import { settings as redirect } from '../../lambda/functions/redirect/settings';
import { settings as renderer } from '../../lambda/functions/renderer/settings';
import { settings as usage } from '../../lambda/functions/usage/settings';

/** The variables of each function, by their names; one with a `fallback` may be absent. */
export const functionSettings = {
  authorizer,
  redirect,
  usage,
  docs,
  renderer,
  generator,
} satisfies Readonly<Record<FunctionName, Readonly<Record<string, { readonly fallback?: unknown }>>>>;
