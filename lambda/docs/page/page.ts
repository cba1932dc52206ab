/** The pages of the service: HTML documents that load only images of the service. */

import { createHash } from 'node:crypto';
import { headerTexts } from '../../contract/headers';
import type { Plans } from '../../contract/plans';
import { routes } from '../../contract/routes';
import { openApiDocument } from '../openapi/document';
import type { PageAssets } from './assets';
import { type Html, html, raw } from './html';
import { accountForm } from './sections/account';
import { aiCostSection, creditSection, errorSection, parameterSection, planSection } from './sections/facts';
import { howItWorks, introduction } from './sections/introduction';
import { playground } from './sections/playground';
import { publishSection } from './sections/publish';
import { referenceSection } from './sections/reference';
import { repairSection } from './sections/repair';
import { useItIn } from './sections/use-it-in';

const mark =
  '<rect x="2.5" y="4" width="19" height="16" rx="3.5" fill="none" stroke="currentColor" stroke-width="1.8"/><path d="m4 17.5 5-6 4 4.6 2.6-2.8 4.4 4.6" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/><circle cx="16.2" cy="8.6" r="1.7" fill="#e2a33b"/>';
const icon = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" color="#0c6b58">${mark}</svg>`)}`;

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * What a page may load: its own style and script, responses of its own origin, and the images that redirects lead to.
 * @param rootUrl images are allowed over plain HTTP only where the page itself is served over it
 */
export function contentSecurityPolicy(rootUrl: string, { script, style }: PageAssets): string {
  const images = rootUrl.startsWith('https:') ? 'https:' : 'https: http:';
  return [
    "default-src 'none'",
    `style-src ${sha256(style)}`,
    `script-src ${sha256(script)}`,
    `img-src 'self' data: ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const anchors = [
  ['try-it', 'Try it'],
  ['publish', 'Publish it'],
  ['repair', 'Repair a page'],
  ['use-it-in', 'Use it in …'],
  ['parameters', 'Parameters'],
  ['plans', 'Plans'],
  ['ai-costs', 'AI costs'],
  ['errors', 'Errors'],
  ['credit-due', 'Credit'],
  ['reference', 'Reference'],
] as const;

const shownHeaders = Object.entries(headerTexts)
  .flatMap(([name, { isShown }]) => (isShown ? [name] : []))
  .join(' ');

interface Page {
  readonly title: string;
  readonly description: string;
  /** Links at the top. */
  readonly nav: readonly Html[];
  readonly main: Html;
}

/** The path of the service under its host, without a trailing slash. */
const prefixOf = (rootUrl: string) => new URL(rootUrl).pathname.replace(/\/$/, '');

/** @param rootUrl root of the service, and `examplesUrl` folder of its example pictures; both without a trailing slash */
export function documentationPage(
  rootUrl: string,
  plans: Plans,
  assets: PageAssets,
  examplesUrl: string,
): string {
  const prefix = prefixOf(rootUrl);
  return wholePage(prefix, assets, {
    title: 'Image Redirect: an image for any words',
    description:
      'Put words and a size into a URL and get a matching image: stock or AI, with its credit line.',
    nav: [
      ...anchors.map(([id, label]) => html`<a href="#${id}">${label}</a>`),
      html`<a href="${prefix}${routes.accountPage}">Account</a>`,
    ],
    main: html`${introduction(examplesUrl)}
${playground()}
${publishSection(rootUrl)}
${repairSection(rootUrl)}
${howItWorks(examplesUrl)}
${useItIn(rootUrl, prefix)}
${parameterSection()}
${planSection(plans)}
${aiCostSection()}
${errorSection()}
${creditSection()}
${referenceSection(openApiDocument(rootUrl), prefix)}`,
  });
}

/** The page on which an account's owner sees its usage. @param rootUrl as for the documentation */
export function accountPage(rootUrl: string, assets: PageAssets): string {
  const prefix = prefixOf(rootUrl);
  return wholePage(prefix, assets, {
    title: 'Account: Image Redirect',
    description: 'The usage of an account.',
    nav: [html`<a href="${prefix}/">Documentation</a>`],
    main: accountForm(),
  });
}

function wholePage(
  prefix: string,
  { script, style }: PageAssets,
  { title, description, nav, main }: Page,
): string {
  const page = html`<!doctype html>
<html lang="en" data-prefix="${prefix}" data-headers="${shownHeaders}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="${icon}">
<link rel="alternate" type="application/json" href="${prefix}/openapi.json" title="OpenAPI description">
<link rel="alternate" type="text/plain" href="${prefix}/llms.txt" title="Guide for language models">
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<nav aria-label="Pages and sections"><div class="wrap"><a class="brand" href="#main"><svg viewBox="0 0 24 24" aria-hidden="true">${raw(mark)}</svg>Image Redirect</a>
${nav}</div></nav>
<main id="main">
${main}
</main>
<footer><div class="wrap"><span>Image Redirect</span><a href="${prefix}/openapi.json">openapi.json</a><a href="${prefix}/llms.txt">llms.txt</a></div></footer>
<script>${raw(script)}</script>
</body>
</html>`;
  return page.html;
}
