/** Writes the guides for programs that write pages. `skill.md` has the steps. `llms.txt` has the reference too. */

import { parameterNames, parameters, signedParameters } from '../contract/parameters';
import {
  anonymousRequestsPerHour,
  type PlanName,
  type Plans,
  planNames,
  unlimitedRequests,
  workPerHour,
} from '../contract/plans';
import { batchBounds, choiceImagesMax, listedValues, pageBounds, sidePx } from '../contract/request-bounds';
import { clientPackage, routes, skillPath } from '../contract/routes';
import { recordSchema } from '../images/record';
import { problems } from '../problems/problem';
import { reloadScript } from '../problems/reload-script';
import { pathExtensions } from '../requests/rendition';
import {
  errorText,
  keyHeadersText,
  listExtensions,
  makeCredentialTable,
  otherNamesText,
  ownerText,
  pathText,
  writeTestValues,
} from './sentences';
import { writeMarkdownTable } from './text-table';

/**
 * Writes the skill in Markdown, with at most 6,000 characters and the front matter of https://agentskills.io.
 * @param rootUrl root of the service, without a trailing slash
 */
export function writeSkill(rootUrl: string): string {
  return `---
name: image-redirect
description: Puts fitting images into web pages by ${rootUrl}. Use it whenever a page, component, slide or document that you write needs photographs or illustrations, or when a page has placeholder images.
---

# Images for the pages you write

The service turns words into images of an exact size, with alternative text and credit.
${writeSteps(rootUrl)}

More: ${rootUrl}${routes.llms} has every parameter and error, ${rootUrl}${routes.openApi} the description for tools.
`;
}

/**
 * Writes the guide in the form of https://llmstxt.org: a title, a summary, then the details.
 * @param rootUrl root of the service, without a trailing slash
 */
export function writeLlmsText(rootUrl: string, plans: Plans): string {
  const parameterLines = parameterNames.map(
    (name) => `- ${name} (${parameters[name].bounds}): ${parameters[name].purpose}`,
  );
  const errorLines = Object.entries(problems).map(
    ([code, { status, title }]) => `- ${code}: ${status}, ${title}`,
  );
  return [
    '# Image Redirect',
    '> One URL in an image tag redirects (302) to an image that matches its words, cropped to the exact size, with alternative text and credit.',
    writeSteps(rootUrl),
    writeOtherWays(rootUrl),
    '## Which credential belongs where',
    writeMarkdownTable(makeCredentialTable()),
    `${ownerText} createSigner of @image-redirect/client, and the functions for other languages in its README, sign URLs.`,
    writeSigningSteps(),
    writeUrlForms(rootUrl),
    '## Parameters',
    parameterLines.join('\n'),
    writeLimits(rootUrl, plans),
    '## Errors',
    `${errorText} A problem document has type, title, status, detail, code and requestId; for 400 also parameters: [{parameter, bounds, received}].`,
    `${errorLines.join('\n')}\n`,
  ].join('\n\n');
}

const writeOtherWays = (rootUrl: string) => `## Other ways

- Models: the same as tools, by the Model Context Protocol at ${rootUrl}${routes.mcp} (Streamable HTTP, key as bearer token).
- Programs with OpenAI's images API: base URL ${rootUrl}/v1, an API key, model ai, stock or auto.
- Next.js, Astro, Nuxt: npm install ${rootUrl}${clientPackage} and import from @image-redirect/client.
- Agents: ${rootUrl}${skillPath}. Tools: ${rootUrl}${routes.openApi}. People: ${rootUrl}/`;

const writeSigningSteps = () => `## Sign a URL

Try your code on the test vectors in @image-redirect/client/vectors.

1. Parameters: those that the URL has of ${[...signedParameters].sort().join(', ')}; no others are signed. \`q\`, \`w\` and \`h\` are signed as query, width and height, and \`amp;\` before a name is dropped. In the path form, width, height and query stand in the path: percent-decode what follows \`${routes.image}/\` once as UTF-8, drop an extension at the end (${listExtensions(pathExtensions, 'or')} in either case), split it as \`{width}x{height}\`, a separator and the words, write each run of \`-\`, \`_\`, \`+\`, \`/\` and spaces in the words as one space, and remove a space at either end.
2. Values: percent-decoded once as UTF-8, \`+\` in the query string being a space, and not changed otherwise; then every byte except \`A–Z a–z 0–9 - . _ ~\` encoded as \`%\` and two upper-case hexadecimal digits.
3. Canonical form: \`name=value\` of each parameter, sorted by name and joined by \`&\`. For a URL that several sizes share, sign \`upto\` (such as 1920x1080) and leave width and height out.
4. Message: four lines joined by a line feed: \`image-redirect/v1\`, the id of the signer, \`expires\` in Unix seconds or an empty line, and the canonical form.
5. Key: the 43 characters after \`sgs_live_\` or \`sgs_test_\` of the secret, decoded from base64url to 32 bytes. The last six characters are a checksum.
6. Signature: the first 16 bytes of HMAC-SHA256(key, message) in base64url without padding, 22 characters. Append \`signer\`, \`expires\` if it was signed, and \`signature\` to the URL.`;

const writeUrlForms = (rootUrl: string) => `## URL of an image

    ${rootUrl}${routes.image}/1200x800-mountain-lake
    ${rootUrl}${routes.image}?query=mountain%20lake&width=1200&height=800

- In the path, ${pathText}
- ${otherNamesText}
- The same URL returns the same image, in every size of one orientation (landscape, portrait, near-square). With the \`pick\` of a record, it is the same in all orientations.
- ${keyHeadersText}
- \`format=json\` returns the record: ${Object.keys(recordSchema.shape).join(', ')}.
- If an AI image is not ready in time, the answer is 503 generation_in_progress and a card. This script reloads AI images until they are made:

${reloadScript.replace(/^/gm, '    ')}`;

function writeLimits(rootUrl: string, plans: Plans): string {
  const formatUnits = (units: number) =>
    units === unlimitedRequests ? 'unlimited' : units.toLocaleString('en');
  const listByPlan = (getUnits: (name: PlanName) => number) =>
    planNames.map((name) => `${name} ${formatUnits(getUnits(name))}`).join(', ');
  return `## Limits

- Requests per UTC month: ${listByPlan((name) => plans[name].monthlyRequests)}.
- Work (searches, new sizes and formats, free images), per account and hour: ${listByPlan((name) => workPerHour[name])}.
- Charged responses have X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset. Responses to signed URLs and site keys do not. After 429 or 503, wait for the seconds of Retry-After.
- A request without an image is not charged. If the database does not answer in time, it may be charged, unless the detail says otherwise. GET ${rootUrl}${routes.usage} returns the usage of the key's account; people see it at ${rootUrl}${routes.accountPage}.
- ${writeTestValues()}`;
}

/** Writes the steps from the key to a page with images and credits. */
function writeSteps(rootUrl: string): string {
  const lead = 'Never invent image URLs, and never use placeholder services.';
  return [lead, writeKeyedSteps(rootUrl), writeOtherSteps(rootUrl)].join('\n\n');
}

const keyHeader = '-H "Authorization: Bearer $IMAGE_REDIRECT_KEY"';

function writeKeyedSteps(rootUrl: string): string {
  const quote = (values: readonly string[]) => values.map((value) => `"${value}"`).join(', ');
  const licenseConditions = listedValues.license.filter((value) => value !== 'any');
  return `## 1. Find the key

Read the environment variable IMAGE_REDIRECT_KEY, else ask the user for an API key. It is secret: send it from your shell or
build step only. Never put an API key (pk_live_…, pk_test_…) into a page, a component or a repository. Without a key, go to
step 4. Browser scripts that build URLs use a site key (site_live_…), which an owner makes by POST /api/keys.

## 2. Ask for all images of the page in one call

    curl -s ${rootUrl}${routes.images} \\
      ${keyHeader} -H "Content-Type: application/json" \\
      -d '{"images": [
        {"slot": "hero", "query": "mountain lake at dawn", "width": 1600, "height": 900},
        {"slot": "team-anna", "query": "smiling woman portrait", "width": 400, "height": 400}
      ]}'

- At most ${batchBounds.imagesMax} images a call; each has a "slot" of its own, and none appears twice. In a further call, list the "pick" of
  each image that the page already shows in "exclude": ["7f2c9b1e04d85a36c1f0", …], up to ${batchBounds.excludedMax}.
- A query is two to four common English words for what a camera sees: "team in a meeting", not "synergy". Name the
  subject first. For another language, add "lang": "de".
- Sizes are those of the layout in pixels, ${sidePx.min} to ${sidePx.max}. More options: "seed" (2 to ${choiceImagesMax}: the next best images), "color",
  "license" (${quote(licenseConditions)}), "avoid" (${quote(listedValues.avoid)}), "provider": "ai" with "style" (${quote(listedValues.style)}),
  and "onmiss": "ai", which makes an image where nothing fits.

## 3. Write each record into the page

The answer is {"images": {"hero": record, …}}. Insert the "html" of each record where the image belongs: an <img> with src,
srcset, width, height, alt and placeholder, and the credit line where the licence asks for one. Its URLs are signed: they
work for every visitor and do not end. Do not change their parameters.

In your own markup (React, Vue, CSS), use "src", "srcset", "width", "height" and "alt", never "url", which may end. Where
"html" shows a credit line, show "attribution.creditLine" near the image or in a list of credits.

In place of a record, a slot may hold a problem with "code" and "detail":
- no_image_found: use other words, or "onmiss": "ai";
- quota_exceeded, rate_limited: tell the user, with the time in "detail", and leave the place empty;
- generation_in_progress: ask for that slot again after a minute;
- invalid_parameter: correct what "parameters" names.`;
}

const writeOtherSteps = (rootUrl: string) => `## 4. Without a key

    <img src="${rootUrl}${routes.image}/1200x800-mountain-lake" width="1200" height="800" alt="A mountain lake">

The form is {width}x{height}-{words}. Every visitor has ${anonymousRequestsPerHour} such requests an hour: tell the user that this is a draft, and
that a public page needs a key or a site key.

## 5. A page that exists already

    curl -s --data-binary @page.html -H "Content-Type: text/html" -H "Accept: application/json" \\
      ${keyHeader} ${rootUrl}${routes.pages}

returns {"html", "left", "credits", "report"}: the page with images in place of its placeholders, every other byte as it
was. data-image-query="words" on an image has it filled, data-image-keep keeps it. A call fills ${pageBounds.imagesMax} images: send the returned
page again while "left" falls. For the files of a project, with IMAGE_REDIRECT_URL=${rootUrl} set:

    npx -p ${rootUrl}${clientPackage} image-redirect-pages fill FOLDER --write   # without --write: what it would do
    npx -p ${rootUrl}${clientPackage} image-redirect-pages lint FOLDER           # missing alt, size and credits

## 6. Before you finish

- No pk_ in any file, and no URL of a placeholder service.
- Every image has alt, width and height; below the first screen also loading="lazy".
- Credits that are due are visible. AI images keep data-ai-generated.`;
