/** The settings that every server of models takes, for drawing and for looking. */

import * as z from 'zod/mini';

/** Where a server that speaks OpenAI's interfaces is, and how it is asked. */
export const serverFields = {
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .check(z.overwrite((url) => url.replace(/(?<!\/)\/+$/, '')))
    .check(z.describe('URL of the API with its version: `https://api.openai.com/v1`')),
  model: z.string().check(z.minLength(1)).check(z.describe('Name of the model')),
  apiKeyName: z
    .exactOptional(z.string().check(z.minLength(1)))
    .check(z.describe('Name of the key in the secret of the provider keys, where the server needs one')),
};
