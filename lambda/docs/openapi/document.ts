/** Makes the OpenAPI 3.1 document of the service. */

import { version } from '../../../package.json';
import { type HeaderName, headerSchemas, headerTexts } from '../../contract/headers';
import { parameters } from '../../contract/parameters';
import { problems, secrecyText } from '../../problems/problem';
import { errorText, keyHeadersText, makeCredentialTable } from '../sentences';
import { makeTextTable, writeMarkdownTable } from '../text-table';
import { operations } from './operations';
import { parameterComponents } from './parameters';
import { componentSchemas } from './schemas';

const headerEntries = Object.values(headerTexts).flatMap(Object.entries<string>);
const headerComponents = headerEntries.map(([name, description]) => {
  return [name, { description, schema: headerSchemas[name as HeaderName] ?? { type: 'string' } }];
});

/** Makes the document. @param rootUrl without a trailing slash */
export function describeApi(rootUrl: string) {
  const codeLines = Object.entries(problems).map(
    ([code, { status, title }]) => `\`${code}\` | ${status} | ${title}`,
  );
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operation } of operations) paths[path] = { ...paths[path], [method]: operation };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Image Redirect',
      version,
      summary: 'One URL in an image tag redirects to a matching image.',
      description: [
        `${errorText} HEAD returns what GET does, without a body. OPTIONS answers preflights on every path. A method that a path does not have returns 405, an unknown path 404.`,
        `${secrecyText} A request with two different credentials is refused with 400 \`conflicting_parameters\`.`,
        writeMarkdownTable(makeCredentialTable()),
        writeMarkdownTable(makeTextTable('code | status | meaning', ...codeLines)),
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
      schemas: componentSchemas,
      headers: Object.fromEntries(headerComponents),
      parameters: parameterComponents,
      securitySchemes: {
        bearerKey: { type: 'http', scheme: 'bearer', description: keyHeadersText },
        headerKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: keyHeadersText },
        queryKey: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: parameters.api_key.purpose,
        },
      },
    },
  };
}
