/** The pages of the documentation by path, built once for each root URL of the service. */

import { createHash } from 'node:crypto';
import { createExpiringCache, type ExpiringCache } from '../base/expiring-cache';
import type { Plans } from '../contract/plans';
import { routes, skill } from '../contract/routes';
import type { CacheableContent } from '../http/http-response';
import { llmsText } from './llms';
import { openApiDocument } from './openapi/document';
import type { AllAssets, PageAssets } from './page/assets';
import { accountPage, contentSecurityPolicy, documentationPage } from './page/page';
import { skillText } from './skill';

/** What the pages are made of. */
export interface Documents {
  readonly plans: Plans;
  readonly assets: AllAssets;
  /** Folder of the example pictures, without a trailing slash. */
  readonly examplesUrl: string;
  /** Pages by path and root URL. */
  readonly kept: ExpiringCache<CacheableContent>;
}

/** No page has been made yet. A service has one URL or a few; host names that callers invent must not fill the memory. */
export const noPagesKept = (): Documents['kept'] => createExpiringCache(12);

/** The page at a path (without the stage), or `undefined` where there is none; made once for each root URL. */
export function documentAt(
  documents: Documents,
  path: string,
  rootUrl: string,
): CacheableContent | undefined {
  const make = pages[path];
  if (!make) return undefined;
  const name = `${path} ${rootUrl}`;
  const page = documents.kept.get(name, 0) ?? make(rootUrl, documents);
  documents.kept.set(name, page, Number.POSITIVE_INFINITY);
  return page;
}

const pages: Readonly<Record<string, (rootUrl: string, documents: Documents) => CacheableContent>> = {
  [routes.docs]: (rootUrl, { plans, assets: { docs }, examplesUrl }) => {
    const page = documentationPage(rootUrl, plans, docs, examplesUrl);
    return htmlOf(page, rootUrl, docs, 'strict-origin-when-cross-origin');
  },
  [routes.accountPage]: (rootUrl, { assets: { account } }) =>
    htmlOf(accountPage(rootUrl, account), rootUrl, account, 'no-referrer'),
  [routes.openApi]: (rootUrl) => pageOf('application/json', JSON.stringify(openApiDocument(rootUrl))),
  [routes.llms]: (rootUrl, { plans }) => pageOf('text/plain', llmsText(rootUrl, plans)),
  [skill]: (rootUrl) => pageOf('text/markdown', skillText(rootUrl)),
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
