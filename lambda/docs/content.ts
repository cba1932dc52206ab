/** Makes each document by its path, once for each root URL of the service. */

import { createHash } from 'node:crypto';
import type { ExpiringCache } from '../base/expiring-cache';
import { routes, skillPath } from '../contract/routes';
import type { CacheableContent } from '../http/http-response';
import { llmsText, skillText } from './guide';
import { openApiDocument } from './openapi/document';
import type { AllAssets, PageAssets } from './page/assets';
import { accountPage, contentSecurityPolicy, documentationPage, type ServedPages } from './page/page';

/** What documents are made of, and the documents that are made already. */
export interface Documents extends Omit<ServedPages, 'rootUrl'> {
  readonly assets: AllAssets;
  readonly documentPages: ExpiringCache<CacheableContent>;
}

/** Makes the document at a path without the stage; `undefined` if there is none. */
export function documentAt(
  documents: Documents,
  path: string,
  rootUrl: string,
): CacheableContent | undefined {
  const make = pages[path];
  if (!make) return undefined;
  const name = `${path} ${rootUrl}`;
  const page = documents.documentPages.get(name, 0) ?? make({ ...documents, rootUrl });
  documents.documentPages.set(name, page, Number.POSITIVE_INFINITY);
  return page;
}

const pages: Readonly<Record<string, (served: ServedPages & Documents) => CacheableContent>> = {
  [routes.docs]: ({ assets: { docs }, ...served }) =>
    htmlOf(documentationPage(served, docs), served.rootUrl, docs, 'strict-origin-when-cross-origin'),
  [routes.accountPage]: ({ assets: { account }, ...served }) =>
    htmlOf(accountPage(served, account), served.rootUrl, account, 'no-referrer'),
  [routes.openApi]: ({ rootUrl }) => pageOf('application/json', JSON.stringify(openApiDocument(rootUrl))),
  [routes.llms]: ({ rootUrl, plans }) => pageOf('text/plain', llmsText(rootUrl, plans)),
  [skillPath]: ({ rootUrl }) => pageOf('text/markdown', skillText(rootUrl)),
};

function htmlOf(body: string, rootUrl: string, assets: PageAssets, referrer: string): CacheableContent {
  return pageOf('text/html', body, {
    'Content-Security-Policy': contentSecurityPolicy(rootUrl, assets),
    'Referrer-Policy': referrer,
  });
}

function pageOf(
  mediaType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): CacheableContent {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag, headers: { ...headers, 'Content-Type': `${mediaType}; charset=utf-8` } };
}
