/** Moves responses that several operations share into components, which makes the document a fraction of its size. */

import type { ApiResponse, Operation, PathItem, Reference } from './types';

type Paths = Readonly<Record<string, PathItem>>;

export interface Hoisted {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export function hoistResponses(paths: Paths): Hoisted {
  const uses = new Map<string, number>();
  for (const [, response] of responsesIn(paths)) {
    const text = JSON.stringify(response);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  const responses: Record<string, ApiResponse> = {};
  for (const [status, response] of responsesIn(paths)) {
    const text = JSON.stringify(response);
    if (uses.get(text) === 1 || names.has(text)) continue;
    const name = freeName(`Response${status}`, responses);
    names.set(text, name);
    responses[name] = response;
  }
  const shrink = (operation: Operation) => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]): [string, ApiResponse | Reference] => {
        const name = names.get(JSON.stringify(response));
        return [status, name === undefined ? response : { $ref: `#/components/responses/${name}` }];
      }),
    ),
  });
  const shrunk = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, shrink(operation)])),
  ]);
  return { paths: Object.fromEntries(shrunk), responses };
}

function responsesIn(paths: Paths): readonly (readonly [string, ApiResponse])[] {
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ responses }) => Object.entries(responses)),
  );
}

function freeName(wanted: string, taken: object, number = 1): string {
  const name = number === 1 ? wanted : `${wanted}v${number}`;
  return name in taken ? freeName(wanted, taken, number + 1) : name;
}
