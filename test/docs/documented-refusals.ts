/** The refusals that the OpenAPI document describes, for tests that see what the service refuses. */

import { routes } from '../../lambda/contract/routes';
import { operationAt, operations, type ReadOperation } from './operations';

/** A refusal as a caller has received it. */
interface SeenRefusal {
  readonly method: string;
  /** Path of the request without the stage, or template of its resource. */
  readonly path: string;
  readonly status: number;
  readonly code: string;
}

/**
 * Whether the document describes a refusal. What is no operation of the API is described as a whole: a method
 * that a path does not have with 405, an unknown path with 404; anything else may be refused as a page may
 * be.
 */
export function isDocumented({ method, path, status, code }: SeenRefusal): boolean {
  const seen = `${status} ${code}`;
  const template = templateOf(path);
  const operation = template === undefined ? undefined : operationOf(method, template);
  if (operation) return refusalsIn(operation).includes(seen);
  const whole = template === undefined ? '404 not_found' : '405 method_not_allowed';
  return [whole, ...refusalsIn(operationAt(routes.docs, 'get'))].includes(seen);
}

/** HEAD is GET without the body. */
function operationOf(method: string, template: string): ReadOperation | undefined {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  return operations.find((operation) => operation.path === template && operation.method === name);
}

/** The template of a path, as API Gateway finds it; `undefined` for an unknown path. */
function templateOf(path: string): string | undefined {
  const [plain = ''] = path.split('?');
  if (operations.some((operation) => operation.path === plain)) return plain;
  if (/^\/api\/image\/id\/[^/]+$/.test(plain)) return routes.permalink;
  // The path form with slashes has no template of its own in OpenAPI.
  return /^\/api\/image\/[^/]/.test(plain) ? routes.imagePath.replace('+}', '}') : undefined;
}

function refusalsIn({ responses }: ReadOperation): readonly string[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    codesIn(content?.['application/problem+json']?.schema).map((code) => `${status} ${code}`),
  );
}

/** The codes of a problem's schema. */
function codesIn(schema: unknown): readonly string[] {
  const [, text = '{}'] = /"code":(\{[^}]*\})/.exec(JSON.stringify(schema ?? {})) ?? [];
  const { enum: codes = [] } = JSON.parse(text) as { readonly enum?: readonly string[] };
  return codes;
}
