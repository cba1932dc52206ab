/** Checks refusals of the service against the OpenAPI document, for all tests that receive them. */

import { routes } from '../../lambda/contract/routes';
import { getOperation, operations, type ReadOperation } from './operations';

/** A refusal that a caller has received. */
interface SeenRefusal {
  readonly method: string;
  /** Path of the request without the stage, or template of its resource. */
  readonly path: string;
  readonly status: number;
  readonly code: string;
}

/**
 * Returns true if the document describes a refusal. If the request matches no operation, an unknown path may get
 * 404, a method that the path does not have 405, and both may get the errors of a page.
 */
export function isDocumented({ method, path, status, code }: SeenRefusal): boolean {
  const statusAndCode = `${status} ${code}`;
  const template = findTemplate(path);
  const operation = template === undefined ? undefined : findOperation(method, template);
  if (operation) return listRefusals(operation).includes(statusAndCode);
  const fallbackRefusal = template === undefined ? '404 not_found' : '405 method_not_allowed';
  return [fallbackRefusal, ...listRefusals(getOperation(routes.docs, 'get'))].includes(statusAndCode);
}

/** Finds an operation. HEAD is described as GET. */
function findOperation(method: string, template: string): ReadOperation | undefined {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  return operations.find((operation) => operation.path === template && operation.method === name);
}

/** Finds the template of a path, as API Gateway does. Returns `undefined` for an unknown path. */
function findTemplate(path: string): string | undefined {
  const [pathOnly = ''] = path.split('?');
  if (operations.some((operation) => operation.path === pathOnly)) return pathOnly;
  if (/^\/api\/image\/id\/[^/]+$/.test(pathOnly)) return routes.permalink;
  // The path form with slashes has no template of its own in OpenAPI.
  return /^\/api\/image\/[^/]/.test(pathOnly) ? routes.imagePath.replace('+}', '}') : undefined;
}

function listRefusals({ responses }: ReadOperation): readonly string[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    listCodes(content?.['application/problem+json']?.schema).map((code) => `${status} ${code}`),
  );
}

/** Reads the codes of the schema of a problem. */
function listCodes(schema: unknown): readonly string[] {
  const [, text = '{}'] = /"code":(\{[^}]*\})/.exec(JSON.stringify(schema ?? {})) ?? [];
  const { enum: codes = [] } = JSON.parse(text) as { readonly enum?: readonly string[] };
  return codes;
}
