/** Makes the documents of the service: the pages, OpenAPI, llms.txt and the skill. */

import { createHash } from 'node:crypto';
import { routes, skillPath } from '../contract/routes';
import type { CacheableContent } from '../http/http-response';
import { writeLlmsText, writeSkill } from './guide';
import { describeApi } from './openapi/document';
import {
  type PageAssets,
  type PageValues,
  writeAccountPage,
  writeContentSecurityPolicy,
  writeDocumentationPage,
} from './page/page';

/** The values that the documents show, and the scripts and style sheets of the pages. */
export type DocumentValues = PageValues & { readonly assets: NonNullable<typeof globalThis.PAGE_ASSETS> };

/** Makes the document at a path without its stage. Returns `undefined` for an unknown path. */
export function makeDocument(path: string, values: DocumentValues): CacheableContent | undefined {
  return documents[path]?.(values);
}

const documents: Readonly<Record<string, (values: DocumentValues) => CacheableContent>> = {
  [routes.docs]: ({ assets: { docs }, ...pages }) =>
    makePage(writeDocumentationPage(pages, docs), pages.rootUrl, docs, 'strict-origin-when-cross-origin'),
  [routes.accountPage]: ({ assets: { account }, ...pages }) =>
    makePage(writeAccountPage(pages, account), pages.rootUrl, account, 'no-referrer'),
  [routes.openApi]: ({ rootUrl }) => makeContent('application/json', JSON.stringify(describeApi(rootUrl))),
  [routes.llms]: ({ rootUrl, plans }) => makeContent('text/plain', writeLlmsText(rootUrl, plans)),
  [skillPath]: ({ rootUrl }) => makeContent('text/markdown', writeSkill(rootUrl)),
};

function makePage(body: string, rootUrl: string, assets: PageAssets, referrer: string): CacheableContent {
  return makeContent('text/html', body, {
    'Content-Security-Policy': writeContentSecurityPolicy(rootUrl, assets),
    'Referrer-Policy': referrer,
  });
}

function makeContent(
  mediaType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): CacheableContent {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag, headers: { ...headers, 'Content-Type': `${mediaType}; charset=utf-8` } };
}
