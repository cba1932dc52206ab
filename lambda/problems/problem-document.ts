/** The schema of problem documents (RFC 9457), for OpenAPI and for the types of the client package. */

import * as z from 'zod/mini';
import { type ProblemCode, problems } from './problem';

const textField = (text: string) => z.string().check(z.describe(text));
const faultSchema = z.object({
  parameter: z.string(),
  bounds: textField('The accepted values, in words.'),
  received: z.exactOptional(
    textField('The first 40 printable characters of what was given, or empty; never a credential.'),
  ),
});

export const problemSchema = z.object({
  type: z.url().check(z.describe('URL of the explanation of the code.')),
  title: z.string(),
  status: z.int().check(z.gte(400), z.lte(599)),
  detail: textField('What happened and how to resolve it.'),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  requestId: textField('Include it when you contact support.'),
  parameters: z.exactOptional(
    z.array(faultSchema).check(z.describe('Each invalid parameter with its bounds.')),
  ),
});

export type ProblemDocument = Readonly<z.infer<typeof problemSchema>>;
