/** Writes the two pages of the service. From other hosts they load only images, and the operator's logo. */

import { createHash } from 'node:crypto';
import type { Plans } from '../../contract/plans';
import { routes } from '../../contract/routes';
import { makeSiteLink, type Site } from '../../contract/settings';
import { type Html, html, type Topic, trustHtml, writeTopic } from './html';
import { makeGuides } from './sections/guides';
import { writePlanSections } from './sections/plans';
import { makeReference } from './sections/reference';
import { writeStartSections } from './sections/start';

/** The script and the style sheet of a page. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

declare global {
  /** Defined by the build of the function. The local service sets it before it loads the function. */
  var PAGE_ASSETS: Readonly<Record<'docs' | 'account', PageAssets>> | undefined;
}

const logoMark =
  '<rect x="2.5" y="4" width="19" height="16" rx="3.5" fill="none" stroke="currentColor" stroke-width="1.8"/><path d="m4 17.5 5-6 4 4.6 2.6-2.8 4.4 4.6" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/><circle cx="16.2" cy="8.6" r="1.7" fill="#e2a33b"/>';
const icon = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" color="#0c6b58">${logoMark}</svg>`)}`;

const writeHashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Writes the policy of a page. It allows the style and script of the page, requests to its origin, and images.
 * @param rootUrl images may use plain HTTP only if this URL does
 */
export function writeContentSecurityPolicy(rootUrl: string, { script, style }: PageAssets): string {
  const images = rootUrl.startsWith('https:') ? 'https:' : 'https: http:';
  return [
    "default-src 'none'",
    `style-src ${writeHashSource(style)}`,
    `script-src ${writeHashSource(script)}`,
    `img-src 'self' data: ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The values that both pages show. */
export interface PageValues {
  /** Root of the service, without a trailing slash. */
  readonly rootUrl: string;
  readonly plans: Plans;
  readonly site: Site;
  /** Folder of the example images, without a trailing slash. */
  readonly examplesUrl: string;
  /** A test key that the local service offers on its page. Absent in deployments. */
  readonly demoKey?: string | undefined;
}

const makePrefix = (rootUrl: string) => new URL(rootUrl).pathname.replace(/\/$/, '');

/** Writes the menu. @param root URL of the documentation page, empty on that page itself */
function writeMenu(root: string, guides?: readonly Topic[], reference?: readonly Topic[]): Html {
  const writePart = (id: string, title: string, topics?: readonly Topic[]) => {
    const links = topics?.map((topic) => html`<li><a href="#${topic.id}">${topic.title}</a></li>`);
    return html`<li><a href="${root}#${id}">${title}</a>${links && html`<ul>${links}</ul>`}</li>`;
  };
  const parts = [
    writePart('start', 'Start'),
    writePart('guides', 'Guides', guides),
    writePart('reference', 'Reference', reference),
    writePart('plans', 'Plans'),
  ];
  return html`<nav id="menu" popover aria-label="Documentation"><ul>${parts}</ul></nav>`;
}

/** Writes the documentation page. It has four parts with topics. The script shows one topic at a time. */
export function writeDocumentationPage(values: PageValues, assets: PageAssets): string {
  const { rootUrl, plans, site, examplesUrl, demoKey } = values;
  const prefix = makePrefix(rootUrl);
  const guides = makeGuides(rootUrl, prefix);
  const reference = makeReference(prefix, { contact: site.contact, isLocal: demoKey !== undefined });
  return writePage(values, assets, {
    title: `${site.name}: an image for any words`,
    description:
      'Put words and a size into a URL and get a matching image: stock or AI, with its credit line.',
    menu: writeMenu('', guides, reference),
    main: html`<article id="start" class="page">${writeStartSections(examplesUrl, demoKey)}</article>
<div id="guides">${guides.map(writeTopic)}</div>
<div id="reference">${reference.map(writeTopic)}</div>
${writeTopic({ id: 'plans', title: 'Plans', content: writePlanSections(plans, site) })}`,
  });
}

/** Writes the account page, on which owners see the usage of an account and manage its keys. */
export function writeAccountPage(values: PageValues, assets: PageAssets): string {
  return writePage(values, assets, {
    title: `Account: ${values.site.name}`,
    description: 'The usage and the keys of an account.',
    menu: writeMenu(`${makePrefix(values.rootUrl)}/`),
    main: html`<h1>Account</h1>
    <form id="open" hidden autocomplete="off">
      <label>API key <input id="key" type="password" required spellcheck="false" autocomplete="off" placeholder="pk_live_…" aria-describedby="key-note"></label>
      <button type="submit">Show</button>
    </form>
    <p id="key-note" class="hint">The key stays in the memory of this tab. It is sent to this service only, in a header. The report is free. With an owner key, you can manage the keys of the account.</p>
    <noscript><p>This page needs JavaScript. <code>GET /api/usage</code> returns the same numbers as JSON.</p></noscript>
    <p id="state" class="hint" role="status" aria-live="polite"></p>
    <div id="report"></div>
    <details id="keys" hidden><summary>Manage keys</summary><div>
      <form id="new-key" class="line" autocomplete="off">
        <label>Name <input id="key-name" required maxlength="64"></label>
        <label>Kind <select id="key-kind"><option value="">API key</option><option value="role=owner">Owner key</option><option value="mode=test">Test key</option><option value="kind=signer">Signer</option><option value="kind=signer&#38;mode=test">Test signer</option></select></label>
        <button>Create</button>
      </form>
      <div id="keys-state" role="status"></div>
      <div id="key-list"></div>
    </div></details>`,
  });
}

function writePage(
  { rootUrl, site }: PageValues,
  assets: PageAssets,
  parts: Readonly<Record<'title' | 'description', string> & Record<'menu' | 'main', Html>>,
): string {
  const prefix = makePrefix(rootUrl);
  const logo = site.logo
    ? html`<img src="${site.logo}" alt="">`
    : html`<svg viewBox="0 0 24 24" aria-hidden="true">${trustHtml(logoMark)}</svg>`;
  const links = [
    ['Contact', site.contact],
    ['Imprint', site.imprint],
    ['Privacy', site.privacy],
  ].flatMap(([label, target]) => (target ? [html`<a href="${makeSiteLink(target)}">${label}</a>`] : []));
  const document = html`<!doctype html>
<html lang="en" data-prefix="${prefix}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${parts.title}</title>
<meta name="description" content="${parts.description}">
<link rel="icon" href="${icon}">
<link rel="alternate" type="application/json" href="${prefix}/openapi.json" title="OpenAPI description">
<link rel="alternate" type="text/plain" href="${prefix}/llms.txt" title="Guide for language models">
<style>${trustHtml(assets.style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><a class="brand" href="${prefix}/">${logo}${site.name}</a>
<a href="${prefix}${routes.accountPage}">Account</a><button id="menu-button" class="quiet" type="button" popovertarget="menu">Menu</button></header>
${parts.menu}
<main id="main" tabindex="-1">
${parts.main}
</main>
<footer><span>${site.name}</span>${links}<a href="${prefix}/openapi.json">openapi.json</a><a href="${prefix}/llms.txt">llms.txt</a></footer>
<p id="said" role="status" aria-live="polite"></p>
<script>${trustHtml(assets.script)}</script>
</body>
</html>`;
  return document.html;
}
