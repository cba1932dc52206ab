/** What an agent that writes pages has to know of this service, as a skill: front matter and at most 6,000 characters. */

import { batchBounds, pageBounds } from '../contract/batch';
import { anonymousRequestsPerHour } from '../contract/plans';
import { clientPackage, routes } from '../contract/routes';

/**
 * Markdown with the front matter `name` and `description` of https://agentskills.io.
 * @param rootUrl root of the service, without a trailing slash
 */
export function skillText(rootUrl: string): string {
  return `---
name: image-redirect
description: Puts fitting images into web pages by ${rootUrl}. Use it whenever a page, component, slide or document that you write needs photographs or illustrations, or when a page has placeholder images.
---

# Images for the pages you write

The service turns words into images of an exact size, with alternative text and credit. Never invent image URLs, and never use placeholder services.

## 1. Find the key

Look for the environment variable IMAGE_REDIRECT_KEY, else ask the user for an API key (pk_live_… or pk_test_…).
It is secret: send it from your shell or build step only, and never write it into a page, a component or a repository.
Without a key, go to step 4.

## 2. Ask for all images of the page in one call

    curl -s ${rootUrl}${routes.images} \\
      -H "Authorization: Bearer $IMAGE_REDIRECT_KEY" -H "Content-Type: application/json" \\
      -d '{"images": [
        {"slot": "hero", "query": "mountain lake at dawn", "width": 1600, "height": 900},
        {"slot": "team-anna", "query": "smiling woman portrait", "width": 400, "height": 400},
        {"slot": "logo-wall", "query": "modern office building", "ratio": "3:2"}
      ]}'

- At most ${batchBounds.imagesMax} images a call; each slot has a name of its own. No image appears twice. For a further call, list the
  "pick" of each image that the page shows already in "exclude": ["7f2c9b1e04d85a36c1f0", …], up to ${batchBounds.excludedMax}.
- A query is two to four common English words for what a camera would see: "team in a meeting", not "synergy". Name the
  subject first. Words in other languages work with "lang": "de".
- Sizes are those of the layout in pixels, 100 to 4000. Options of an entry: "seed" (2 to 20: the next best image),
  "color", "license" ("attribution-free", "public-domain"), "avoid" ("people", "text"),
  "provider": "ai" with "style" ("photo", "minimal", "dark", "illustration"), and "onmiss": "ai", which makes an image where nothing fits.

## 3. Write each record into the page

The answer is {"images": {"hero": record, …}}. Insert "html" of each record where the image belongs: an <img> with src,
srcset, width, height, alt and placeholder, and the credit line where the licence asks for one. Its URLs are signed: they
work for every visitor and do not end. Do not change any parameter of a signed URL.

Where you need your own markup (React, Vue, CSS), use "src", "srcset", "width", "height", "alt" of the record, and show
"attribution.creditLine" near the image or in a list of credits whenever it is not null and the record's html shows it.
Do not use "url": it may end.

A slot may hold a problem in place of a record: it has "code" and "detail". Then
- no_image_found: use other words, or "onmiss": "ai";
- quota_exceeded or rate_limited: tell the user, with the time in "detail", and leave the place empty;
- generation_in_progress: ask for that slot again after a minute;
- invalid_parameter: correct what "parameters" names.

## 4. Without a key

    <img src="${rootUrl}/api/image/1200x800-mountain-lake" width="1200" height="800" alt="A mountain lake">

The form is {width}x{height}-{words}. Every visitor has ${anonymousRequestsPerHour} such requests an hour, so this is for drafts. Say so, and that a
key makes it a page for the public. A browser script that has to build URLs uses a site key (site_live_…), which the
user gets from the operator: add ?site=site_live_… to such a URL.

## 5. A page that exists already

    curl -s --data-binary @page.html -H "Content-Type: text/html" -H "Accept: application/json" \\
      -H "Authorization: Bearer $IMAGE_REDIRECT_KEY" ${rootUrl}${routes.pages}

returns {"html", "left", "credits", "report"}: the page with images in place of its placeholders, every other byte as it
was. Mark an image with data-image-query="words" to have it filled, and with data-image-keep to keep it. A call fills ${pageBounds.imagesMax}
images: send the returned page again while "left" is above 0.

For files of a project:

    npx -p ${rootUrl}${clientPackage} image-redirect-pages fill FOLDER           # says what it would do
    npx -p ${rootUrl}${clientPackage} image-redirect-pages fill FOLDER --write
    npx -p ${rootUrl}${clientPackage} image-redirect-pages lint FOLDER           # missing alt, size and credits

with IMAGE_REDIRECT_URL=${rootUrl} and IMAGE_REDIRECT_KEY set.

## 6. Before you finish

- No pk_ in any file. No URL of a placeholder service left.
- Every image has alt, width and height; images below the first screen have loading="lazy".
- Credits that are due are visible. AI images keep data-ai-generated.

More: ${rootUrl}${routes.llms} has every parameter and error, ${rootUrl}${routes.openApi} the description for tools.
`;
}
