/** The API reference, rendered from the OpenAPI document. */

import { bounds } from '../../../contract/parameters';
import type { ApiResponse, OpenApiDocument, Operation, Parameter, Reference } from '../../openapi/types';
import { type Html, html, prose } from '../html';

/** The component that a reference of this document means. */
function resolve<T>(document: OpenApiDocument, value: T | Reference): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
  const [, , kind = '', name = ''] = (value as Reference).$ref.split('/');
  const components = document.components as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return components[kind]?.[name] as T;
}

/** The operations of the OpenAPI document as text. @param prefix path of the stage, empty or with a leading slash */
export function referenceSection(document: OpenApiDocument, prefix: string): Html {
  const items = Object.entries(document.paths) as [string, Readonly<Record<string, Operation>>][];
  return html`<section id="reference" aria-labelledby="reference-title"><div class="wrap">
    <h2 id="reference-title">API reference</h2>
    <p>Rendered from <a href="${prefix}/openapi.json">openapi.json</a>, for client generators and test tools. The guide for language
      models is <a href="${prefix}/llms.txt">llms.txt</a>. An error is <code>application/problem+json</code>, or a card
      (<code>image/svg+xml</code>) where an image tag asks for an image.</p>
    ${items.map(([path, methods]) => operationHtml(document, path, methods))}
  </div></section>`;
}

function operationHtml(
  document: OpenApiDocument,
  path: string,
  { get, post, ...others }: Readonly<Record<string, Operation>>,
): Html | undefined {
  const main = get ?? post;
  if (!main) return undefined;
  const parameters = (main.parameters ?? []).map((each) => resolve<Parameter>(document, each));
  const also = Object.keys(others).map((method) => method.toUpperCase());
  return html`<details><summary><span class="verb">${get ? 'GET' : 'POST'}</span><code>${path}</code><span>${main.summary}</span></summary><div>
    <p>${prose(main.description ?? main.summary)} Also ${also.join(' and ')}.</p>
    ${parameters.length > 0 ? parameterTable(parameters) : undefined}
    ${get && !main.tags.includes('Documentation') ? responseTable(document, main.responses) : html`<p>Responses are in <code>openapi.json</code>.</p>`}
  </div></details>`;
}

function parameterTable(parameters: readonly Parameter[]): Html {
  // The table of parameters above has them already.
  const listed = parameters.filter(({ name, in: place }) => place === 'query' && name in bounds);
  const others = parameters.filter((each) => !listed.includes(each));
  const names = listed.map(({ name }) => name).join(', ');
  const above = html`<tr><th scope="row"><code>${names}</code></th><td>query</td><td>see <a href="#parameters">Parameters</a></td></tr>`;
  const rows = others.map(
    ({ name, in: place, required, schema }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${place}${required ? ', required' : ''}</td><td>${describe(schema)}</td></tr>`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Schema</th></tr></thead><tbody>${rows}${listed.length > 0 ? above : undefined}</tbody></table></div>`;
}

/** Whether names are some of a longer list. */
function isPart(names: readonly string[], longer: readonly string[]): boolean {
  return names.length < longer.length && names.every((name) => longer.includes(name));
}

function responseTable(document: OpenApiDocument, responses: Operation['responses']): Html {
  const read = Object.entries(responses).map(
    ([status, value]) => [status, resolve<ApiResponse>(document, value)] as const,
  );
  const isProblem = ([, { content = {} }]: (typeof read)[number]) => 'application/problem+json' in content;
  // What each code means stands under Errors.
  const codes = read
    .filter(isProblem)
    .map(
      ([status, { description }], i) =>
        html`${i > 0 ? html`<br>` : undefined}${status} ${prose((description.match(/`\w+`/g) ?? []).join(', '))}`,
    );
  const answers = read.filter((each) => !isProblem(each));
  const rows = answers.map(([status, { description, headers = {}, content = {} }]) => {
    const names = Object.keys(headers);
    const isShownBelow = read.some(([, { headers: more = {} }]) => isPart(names, Object.keys(more)));
    const kinds = Object.keys(content).map((kind) => html`<br><code>${kind}</code>`);
    const list =
      names.length > 0 && !isShownBelow
        ? html`<br><span class="headerlist">${names.join(', ')}</span>`
        : undefined;
    return html`<tr><th scope="row">${status}</th><td>${prose(description)}${kinds}${list}</td></tr>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Responses"><table><thead><tr><th scope="col">Status</th><th scope="col">Response</th></tr></thead><tbody>${rows}<tr><th scope="row">Errors</th><td>${codes}</td></tr></tbody></table></div>`;
}

/** A schema in a few words. */
function describe(schema: Readonly<Record<string, unknown>>): Html {
  const { type, minimum, maximum, minLength = 0, maxLength, pattern, default: value } = schema;
  const values = schema['enum'] as readonly string[] | undefined;
  const bounds =
    minimum !== undefined
      ? ` from ${minimum} to ${maximum}`
      : maxLength !== undefined
        ? ` of ${minLength} to ${maxLength} characters`
        : '';
  const shown = values
    ? html`${values.join(', ')}`
    : html`${String(type)}${bounds}${pattern !== undefined && maxLength === undefined ? ' in a fixed format' : ''}`;
  return value === undefined || value === '' ? shown : html`${shown}; default ${String(value)}`;
}
