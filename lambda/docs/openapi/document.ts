/** The OpenAPI 3.1 document of the service. */

import { credentialTable } from '../../contract/credentials';
import { type HeaderName, headerSchemas, headerTexts } from '../../contract/headers';
import { problems } from '../../problems/problem';
import { paths } from './operations';
import { parameterComponents } from './parameters';
import { schemas } from './schemas';

/** Makes the OpenAPI document. @param rootUrl root of the service, without a trailing slash */
export function openApiDocument(rootUrl: string) {
  const codes = Object.entries(problems).map(
    ([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`,
  );
  return {
    openapi: '3.1.1',
    info: {
      title: 'Image Redirect',
      version: '1.0.0',
      summary: 'One URL in an image tag redirects to a matching image.',
      description: [
        'Errors are problem documents (RFC 9457). An image tag receives an error card of the requested size instead, with the same status. HEAD answers as GET, without a body; OPTIONS answers preflights everywhere. A method that a path does not support returns 405, an unknown path 404.',
        'API keys (`pk_…`) are secret. Public pages use signed URLs or a site key. A request with two different credentials is refused with 400 `conflicting_parameters`.',
        credentialTable(),
        ['| code | status | meaning |', '|---|---|---|', ...codes].join('\n'),
      ].join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: rootUrl, description: 'This service' }],
    tags: [
      { name: 'Images', description: 'Images by query.' },
      { name: 'Account', description: 'The account of an API key.' },
      { name: 'Documentation', description: 'Documentation pages. Free, no key required.' },
    ],
    paths,
    components: {
      schemas,
      headers: Object.fromEntries(
        Object.values(headerTexts)
          .flatMap(Object.entries<string>)
          .map(headerOf),
      ),
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
            'Use it with format=json or without following redirects: clients send it on to other hosts.',
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

const headerOf = ([name, description]: [string, string]) =>
  [name, { description, schema: headerSchemas[name as HeaderName] ?? { type: 'string' } }] as const;
