/** What the renderer function is told by its environment. */

import * as z from 'zod/mini';
import { json, optionalText, text, url } from '../config';
import { stockProviders, variables } from '../contract';

const endpoints = z.partialRecord(z.enum(stockProviders), z.url());

export const settings = {
  [variables.imageStore]: url('s3:', 'file:'),
  [variables.contact]: text,
  [variables.providerSecretId]: optionalText,
  [variables.providerEndpoints]: json(readEndpoints, {}),
} as const;

function readEndpoints(value: unknown): z.infer<typeof endpoints> {
  const read = endpoints.safeParse(value);
  if (read.success) return read.data;
  throw new Error('must name an address for each provider it names');
}
