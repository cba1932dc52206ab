/** Defines the schema of problem documents (RFC 9457). OpenAPI and the client package use it. */

import * as z from 'zod/mini';
import { type ProblemCode, problems } from './problem';

const describeText = (text: string) => z.string().check(z.describe(text));
const faultSchema = z.object({
  parameter: z.string(),
  bounds: describeText('The accepted values, in words.'),
  received: z.exactOptional(
    describeText('The first 40 printable characters of what was given, or empty; never a credential.'),
  ),
});

export const problemSchema = z.object({
  type: z.url().check(z.describe('URL of the explanation of the code.')),
  title: z.string(),
  status: z.int().check(z.gte(400), z.lte(599)),
  detail: describeText('What happened and how to resolve it.'),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  requestId: describeText('Include it when you contact support.'),
  parameters: z.exactOptional(
    z.array(faultSchema).check(z.describe('Each invalid parameter with its bounds.')),
  ),
});

export type ProblemDocument = Readonly<z.infer<typeof problemSchema>>;
