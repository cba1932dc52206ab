/** Which refusals the OpenAPI document describes, for tests that see what the service refuses. */

import { routes } from '../../../lambda/contract/routes';
import { operationAt, operations } from './operations';

/** A refusal as a caller has received it. */
export interface SeenRefusal {
  readonly method: string;
  /** Path of the request without the stage, or template of its resource. */
  readonly path: string;
  readonly status: number;
  readonly code: string;
}

/** `status code` of every refusal that an operation describes. */
export function documentedRefusals(method: string, template: string): readonly string[] {
  const { responses } = operationAt(template, method.toLowerCase());
  return Object.entries(responses).flatMap(([status, { content }]) =>
    codesIn(content?.['application/problem+json']?.schema).map((code) => `${status} ${code}`),
  );
}

/** Whether the document describes a refusal. What is no operation of the API is described as a whole: 404 and 405. */
export function isDocumented({ method, path, status, code }: SeenRefusal): boolean {
  if (code === 'method_not_allowed') return status === 405;
  const template = templateOf(path);
  if (template === undefined)
    return ['404 not_found', '421 misdirected_request'].includes(`${status} ${code}`);
  // HEAD is GET without the body.
  return documentedRefusals(method === 'HEAD' ? 'GET' : method, template).includes(`${status} ${code}`);
}

const literal: readonly string[] = operations.map(({ path }) => path);

/** The template of a path, as API Gateway finds it. */
function templateOf(path: string): string | undefined {
  const [plain = ''] = path.split('?');
  if (literal.includes(plain)) return plain;
  if (/^\/api\/image\/id\/[^/]+$/.test(plain)) return routes.permalink;
  // The path form with slashes has no template of its own in OpenAPI.
  return plain.startsWith(`${routes.image}/`) ? routes.imagePath : undefined;
}

/** The codes of a problem's schema. */
function codesIn(schema: unknown): readonly string[] {
  const text = JSON.stringify(schema ?? {});
  const { enum: codes = [] } = JSON.parse(/"code":(\{[^}]*\})/.exec(text)?.[1] ?? '{}') as {
    enum?: string[];
  };
  return codes;
}
