/** The OpenAPI 3.1 document of the service. */

import { credentialTable } from '../../contract/credentials';
import { problems } from '../../problems/problem';
import { headerComponents, parameterComponents, paths } from './operations';
import { schemas } from './schemas';
import type { ApiResponse, OpenApiDocument, Operation, PathItem, Reference } from './types';

/** @param rootUrl root of the service, without a trailing slash */
export function openApiDocument(rootUrl: string): OpenApiDocument {
  const codes = Object.entries(problems).map(
    ([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`,
  );
  const { paths: shrunk, responses } = hoistResponses(paths);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Image Redirect',
      version: '1.0.0',
      summary: 'One URL in an image tag redirects to a matching image.',
      description: [
        'Errors are problem documents (RFC 9457). An image tag receives an error card of the requested size instead, with the same status. A method that a path does not support returns 405, an unknown path 404.',
        'API keys (`pk_…`) are secret. Public pages use signed URLs or a site key.',
        credentialTable(),
        ['| code | status | meaning |', '|---|---|---|', ...codes].join('\n'),
      ].join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: rootUrl, description: 'This service' }],
    tags: [
      { name: 'Images', description: 'Images by query.' },
      { name: 'Picks', description: 'Which image an account shows for which words.' },
      { name: 'Account', description: 'The account of an API key.' },
      { name: 'Documentation', description: 'Documentation pages. Free, no key required.' },
    ],
    paths: shrunk,
    components: {
      schemas,
      responses,
      headers: headerComponents,
      parameters: parameterComponents,
      securitySchemes: {
        bearerKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Recommended for programs: HTTP clients drop it when a redirect leaves this host, so the key stays here.',
        },
        headerKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'Use it with format=json or without following redirects: clients send it on to other hosts. Of several keys it counts before a bearer token, and that before api_key.',
        },
        queryKey: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description:
            'For callers that cannot send a header. The key is secret and visible wherever the URL is: never put it into a page.',
        },
      },
    },
  };
}

type Paths = Readonly<Record<string, PathItem>>;

interface Hoisted {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

/** Moves responses that several operations share into components, which makes the document a fraction of its size. */
function hoistResponses(paths: Paths): Hoisted {
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
