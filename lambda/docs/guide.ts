/** The texts for programs that write pages: steps in `skill.md`, the reference too in `llms.txt`. */

import { batchBounds, pageBounds } from '../contract/batch';
import { credentialTable, keyHeadersText, ownerText, secrecyText } from '../contract/credentials';
import { boundsByParameter, parameterNames, purposes } from '../contract/parameters';
import {
  anonymousRequestsPerHour,
  type Plans,
  planNames,
  unlimitedRequests,
  workPerHour,
} from '../contract/plans';
import { choiceImagesMax, styles } from '../contract/request-bounds';
import { clientPackage, routes, skill } from '../contract/routes';
import { testValuesText } from '../contract/test-values';
import { recordSchema } from '../images/record';
import { problems } from '../problems/problem';
import { reloadScript } from '../problems/reload-script';
import { errorText, otherNamesText, pathText } from './sentences';
import { signingExample, signingSteps } from './signing';

/**
 * At most 6,000 characters of Markdown with the front matter of https://agentskills.io.
 * @param rootUrl root of the service, without a trailing slash
 */
export function skillText(rootUrl: string): string {
  return `---
name: image-redirect
description: Puts fitting images into web pages by ${rootUrl}. Use it whenever a page, component, slide or document that you write needs photographs or illustrations, or when a page has placeholder images.
---

# Images for the pages you write

${stepsOf(rootUrl)}
More: ${rootUrl}${routes.llms} has every parameter and error, ${rootUrl}${routes.openApi} the description for tools.
`;
}

/**
 * Markdown in the form of https://llmstxt.org: a title, a summary, then the details.
 * @param rootUrl root of the service, without a trailing slash
 */
export function llmsText(rootUrl: string, plans: Plans): string {
  const plain = (text: string) => text.replaceAll('`', '');
  const indented = (text: string) => text.replace(/^/gm, '    ');
  const amount = (units: number) => (units === unlimitedRequests ? 'unlimited' : units.toLocaleString('en'));
  return `# Image Redirect

> One URL in an image tag redirects (302) to an image that matches its words, cropped to exactly the requested size.

${stepsOf(rootUrl)}
## Other ways

- Models: the same as tools, by the Model Context Protocol at ${rootUrl}${routes.mcp} (Streamable HTTP, key as bearer token).
- Programs with OpenAI's images API: base URL ${rootUrl}/v1, an API key, model ai, stock or auto.
- Frameworks (Next.js, Astro, Nuxt): npm install ${rootUrl}${clientPackage} and import from @image-redirect/client.
- As an agent's skill: ${rootUrl}${skill}. For tools: ${rootUrl}${routes.openApi}. For people: ${rootUrl}/

## Which credential belongs where

${credentialTable()}

${secrecyText} ${plain(ownerText)}
createSigner of @image-redirect/client and the functions for Python, PHP, Go and Ruby in its README sign URLs.

## Sign a URL

${signingSteps.map((step, i) => `${i + 1}. ${plain(step)}`).join('\n')}

For example, ${signingExample.url} is signed with the secret ${signingExample.secret} over the message

${indented(signingExample.message)}

as ${signingExample.signed}

## URL of an image

    ${rootUrl}${routes.image}/1200x800-mountain-lake
    ${rootUrl}${routes.image}?query=mountain%20lake&width=1200&height=800

- In the path, ${plain(pathText)}
- ${plain(otherNamesText)}
- The same URL returns the same image, in every size of one orientation (landscape, portrait, near-square); ?pick= with the pick of a record in all of them.
- ${plain(keyHeadersText)}
- format=json answers with the record in place of the redirect: ${Object.keys(recordSchema.shape).join(', ')}.
- An AI image that is not ready within the request is answered with 503 generation_in_progress and a card. A page reloads it with this script:

${indented(reloadScript)}

## Parameters

${parameterNames.map((name) => `- ${name}: ${plain(purposes[name])} Accepts ${boundsByParameter[name]}.`).join('\n')}

## Limits

${planNames.map((name) => `- Plan ${name}: ${amount(plans[name].monthlyRequests)} requests per UTC month.`).join('\n')}
- query: ${testValuesText()}
- X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset are set on every charged response, but not for signed URLs and site keys. After 429 or 503, wait for Retry-After seconds.
- What costs work and no request (searches, new sizes and formats, free deliveries) has an hourly limit per account: ${planNames.map((name) => `${name} ${amount(workPerHour[name])}`).join(', ')}.
- A request without an image is not charged; a 500, 502 or 503 may be, unless its detail denies it. GET ${rootUrl}${routes.usage} returns what the account of a key has used; a person sees it at ${rootUrl}${routes.accountPage}.

## Errors

${errorText} A document has type, title, status, detail, code and requestId; for 400 parameters too: [{parameter, bounds, received}].

${Object.entries(problems)
  .map(([code, { status, title }]) => `- ${code} (${status}): ${title}.`)
  .join('\n')}
`;
}

/** From the key to a page with images and credits. */
const stepsOf = (
  rootUrl: string,
) => `The service turns words into images of an exact size, with alternative text and credit.
Never invent image URLs, and never use placeholder services.

## 1. Find the key

Look for the environment variable IMAGE_REDIRECT_KEY, else ask the user for an API key. It is secret: send it from your shell
or build step only. Never put an API key (pk_live_…, pk_test_…) into a page, a component or a repository.
Without a key, go to step 4. A browser script that builds URLs uses a site key (site_live_…), which an owner
makes by POST /api/keys.

## 2. Ask for all images of the page in one call

    curl -s ${rootUrl}${routes.images} \\
      -H "Authorization: Bearer $IMAGE_REDIRECT_KEY" -H "Content-Type: application/json" \\
      -d '{"images": [
        {"slot": "hero", "query": "mountain lake at dawn", "width": 1600, "height": 900},
        {"slot": "team-anna", "query": "smiling woman portrait", "width": 400, "height": 400}
      ]}'

- At most ${batchBounds.imagesMax} images a call; each slot has a name of its own. No image appears twice. For a further call, list the
  "pick" of each image that the page shows already in "exclude": ["7f2c9b1e04d85a36c1f0", …], up to ${batchBounds.excludedMax}.
- A query is two to four common English words for what a camera would see: "team in a meeting", not "synergy". Name the
  subject first. Words in other languages work with "lang": "de".
- Sizes are those of the layout in pixels, 100 to 4000. Options of an entry: "seed" (2 to ${choiceImagesMax}: the next best images),
  "color", "license" ("attribution-free", "public-domain"), "avoid" ("people", "text"),
  "provider": "ai" with "style" (${styles.map((style) => `"${style}"`).join(', ')}), and "onmiss": "ai", which makes an image where nothing fits.

## 3. Write each record into the page

The answer is {"images": {"hero": record, …}}. Insert "html" of each record where the image belongs: an <img> with src,
srcset, width, height, alt and placeholder, and the credit line where the licence asks for one. Its URLs are signed: they
work for every visitor and do not end. Do not change any parameter of a signed URL.

Where you need your own markup (React, Vue, CSS), use "src", "srcset", "width", "height", "alt" of the record, and show
"attribution.creditLine" near the image or in a list of credits whenever the record's html shows it.
Do not use "url": it may end.

A slot may hold a problem in place of a record: it has "code" and "detail". Then
- no_image_found: use other words, or "onmiss": "ai";
- quota_exceeded or rate_limited: tell the user, with the time in "detail", and leave the place empty;
- generation_in_progress: ask for that slot again after a minute;
- invalid_parameter: correct what "parameters" names.

## 4. Without a key

    <img src="${rootUrl}${routes.image}/1200x800-mountain-lake" width="1200" height="800" alt="A mountain lake">

The form is {width}x{height}-{words}. Every visitor has ${anonymousRequestsPerHour} such requests an hour, so this is for drafts. Say so, and that a
key or a site key makes it a page for the public.

## 5. A page that exists already

    curl -s --data-binary @page.html -H "Content-Type: text/html" -H "Accept: application/json" \\
      -H "Authorization: Bearer $IMAGE_REDIRECT_KEY" ${rootUrl}${routes.pages}

returns {"html", "left", "credits", "report"}: the page with images in place of its placeholders, every other byte as it
was. Mark an image with data-image-query="words" to have it filled, and with data-image-keep to keep it. A call fills ${pageBounds.imagesMax}
images: send the returned page again while "left" is above 0. For files of a project, with IMAGE_REDIRECT_URL=${rootUrl} set:

    npx -p ${rootUrl}${clientPackage} image-redirect-pages fill FOLDER --write   # without --write: what it would do
    npx -p ${rootUrl}${clientPackage} image-redirect-pages lint FOLDER           # missing alt, size and credits

## 6. Before you finish

- No pk_ in any file. No URL of a placeholder service left.
- Every image has alt, width and height; images below the first screen have loading="lazy".
- Credits that are due are visible. AI images keep data-ai-generated.
`;
