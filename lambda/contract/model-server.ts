/** What the settings of models have in common, for drawing, looking and searching: how they are read, and where a server is. */

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

/**
 * Reads the operator's choice of a model. A misspelt setting is refused, so that it is not silently without effect.
 * @param what is described: `generator`, `judge`
 * @throws `Error` that names every faulty setting
 */
export function readChoice<T>(schema: z.ZodMiniType<T>, what: string, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => {
    const message =
      issue.code === 'unrecognized_keys' ? `no such setting: ${issue.keys.join(', ')}` : issue.message;
    return `${issue.path.join('.') || what}: ${message}`;
  });
  throw new Error(`must describe a ${what} (${faults.join('; ')})`);
}
