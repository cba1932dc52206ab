/** The OpenAPI 3.1 document of the service. */

import { problems } from '../../../domain/problem/problem';
import { headerComponents } from './headers';
import { hoistResponses } from './hoist-responses';
import { parameterComponents } from './parameters';
import { paths } from './paths';
import { schemas } from './schemas';
import type { OpenApiDocument } from './types';

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
      summary: 'One address in an image tag answers with a redirect to a fitting image.',
      description: [
        'Errors are problem documents (RFC 9457); an image tag gets a card of the requested size instead, with the same status. A method that a path does not have is answered with 405, a path that does not exist with 404.',
        ['| code | status | meaning |', '|---|---|---|', ...codes].join('\n'),
      ].join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: rootUrl, description: 'This service' }],
    tags: [
      { name: 'Images', description: 'Images for words.' },
      { name: 'Account', description: 'What a key may see of its account.' },
      { name: 'Documentation', description: 'Pages for people and programs. Free, without a key.' },
    ],
    paths: shrunk,
    components: {
      schemas,
      responses,
      headers: headerComponents,
      parameters: parameterComponents,
      securitySchemes: {
        headerKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Recommended.' },
        queryKey: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: 'For callers that cannot send a header. It is visible wherever the address is.',
        },
      },
    },
  };
}
