/** Writes the guides of the page: publishing, signing, frameworks, whole pages, models, AI images, credits. */

import { batchBounds, pageBounds } from '../../../contract/request-bounds';
import { clientPackage, mcpRemote, routes, skillPath } from '../../../contract/routes';
import { secrecyText } from '../../../problems/problem';
import { reloadScript } from '../../../problems/reload-script';
import { makeCredentialTable, ownerText } from '../../sentences';
import { makeTextTable } from '../../text-table';
import { html, markUpCode, type Topic, writeHtmlTable, writeSnippet } from '../html';

/** The table of the client package's loaders, with the option that names each and an example image. */
export const frameworkLoaders = makeTextTable(
  'Framework | Loader | Image',
  'Next.js | `@image-redirect/client/next` as `images.loaderFile` | `<Image src="mountain lake?ratio=3:2" width={1200} height={800} alt="A mountain lake" />`',
  'Astro | `@image-redirect/client/astro` as `image.service` | `<Image src="image-redirect:mountain lake" width={1200} height={800} alt="A mountain lake" />`',
  'Nuxt | `@image-redirect/client/nuxt` as a provider of Nuxt Image | `<NuxtImg src="mountain lake" width="1200" height="800" alt="A mountain lake" />`',
);

/** Writes the MCP settings of hosts. Hosts without HTTP start a program. */
export function writeMcpConfigurations(url: string): readonly (readonly [host: string, code: string])[] {
  const key = 'YOUR_API_KEY';
  const headers = { Authorization: `Bearer ${key}` };
  return [
    [
      'Claude Code: in a shell',
      `claude mcp add --transport http image-redirect ${url} \\\n  --header "Authorization: Bearer ${key}"`,
    ],
    [
      'Cursor and others: ~/.cursor/mcp.json',
      JSON.stringify({ mcpServers: { 'image-redirect': { url, headers } } }, undefined, 2),
    ],
    ['A host that starts a program (stdio)', `npx ${mcpRemote} ${url} --header X-API-Key:${key}`],
  ];
}

/** The table of requests for AI images, with their costs in requests of the plan. */
const costs = makeTextTable(
  'Request | Result | Requests charged',
  'A new image | Words that are new to your account in this style, aspect ratio and visibility. | 1',
  'The same image again | In any size of its aspect ratio. | 1',
  '`variation=n`, base image exists | Variation n of your image. Its first request makes it. | free',
  '`variation=n`, no base image | The base is made first. You get the variation. | 1',
  '`variation=n`, other aspect ratio | Each ratio, style and visibility has its own base. | 1, then free',
  '`alt=n`, public images exist | The n-th image of other accounts, the oldest first. | free',
  '`alt=n`, only your own exists | Your own public image. | free',
  '`alt=n`, fewer than n exist | Counting starts again. Of three images, alt=4 is the first. | free',
  '`alt=n`, none exists | A new image of your own, with the visibility that you request. | 1',
  '`alt=n`, test key | An image of your own, because test keys share no images. | 1 of the hour',
);

/** Makes the guides. @param prefix path of the root URL. Neither has a trailing slash. */
export function makeGuides(rootUrl: string, prefix: string): readonly Topic[] {
  return [
    makePublishingGuide(rootUrl),
    makeSigningGuide(rootUrl, prefix),
    makeFrameworksGuide(rootUrl),
    makePagesGuide(rootUrl),
    makeModelsGuide(rootUrl, prefix),
    makeAiCostsGuide(),
    makeCreditsGuide(),
  ];
}

const makePublishingGuide = (rootUrl: string): Topic => ({
  id: 'publish',
  title: 'Publish images in a page',
  content: html`<p>${secrecyText} The simplest way: ask for the record with your key, and put its <code>html</code> into the page. Its URLs are
    signed, and work for every visitor.</p>
  ${writeSnippet('Shell', `curl -H "Authorization: Bearer $KEY" \\\n  '${rootUrl}${routes.image}/1200x800-mountain-lake?format=json'`)}
  ${writeHtmlTable('Credentials', makeCredentialTable())}`,
});

const makeSigningGuide = (rootUrl: string, prefix: string): Topic => ({
  id: 'sign',
  title: 'Sign URLs yourself',
  content: html`<p>Servers and build steps sign URLs with the secret of a signer: <code>createSigner</code> of the client package, or the
    functions for Node.js, Python, PHP, Go and Ruby in its README. ${markUpCode(ownerText)}</p>
  ${writeSnippet(
    'sign.mjs',
    `import { createSigner } from '@image-redirect/client';

const signer = createSigner({
  id: process.env.IMAGE_SIGNER_ID,
  secret: process.env.IMAGE_SIGNER_SECRET,
});
const url = await signer.sign('${rootUrl}${routes.image}/1200x800-mountain-lake');`,
  )}
  <p>For other languages, <a href="${prefix}${routes.llms}">llms.txt</a> has the signature step by step.</p>`,
});

const makeFrameworksGuide = (rootUrl: string): Topic => ({
  id: 'frameworks',
  title: 'Frameworks',
  content: html`<p>The package <code>@image-redirect/client</code> has a loader for each framework. Its README has the configuration. This service offers the package:</p>
  ${writeSnippet('Shell', `npm install ${rootUrl}${clientPackage}`)}
  ${writeHtmlTable('Loaders', frameworkLoaders)}`,
});

const makePagesGuide = (rootUrl: string): Topic => ({
  id: 'pages',
  title: 'Whole pages',
  content: html`<p>Ask for all images of a page in one call: up to ${batchBounds.imagesMax}, none twice. Each slot gets a record or a problem.</p>
  ${writeSnippet(
    'Shell',
    `curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"images": [{"slot": "hero", "query": "mountain lake", "width": 1200, "height": 800}]}' \\
  ${rootUrl}${routes.images}`,
  )}
  <p>Or send a page: the service replaces its placeholders with photos that fit their words. All else stays, byte for byte, also when
    the page is sent again. A call fills ${pageBounds.imagesMax} images; each counts as one request.</p>
  ${writeSnippet('Shell', `curl -H "Authorization: Bearer $KEY" -H 'Content-Type: text/html' \\\n  --data-binary @page.html ${rootUrl}${routes.pages} > out.html`)}
  <p>${markUpCode(`For the files of a project there is \`npx -p ${rootUrl}${clientPackage} image-redirect-pages fill\`; \`lint\` reports images that do not load and credits that are missing.`)}</p>`,
});

const makeModelsGuide = (rootUrl: string, prefix: string): Topic => ({
  id: 'models',
  title: 'Models and agents',
  content: html`<p>Tools for AI models: <code>find_images</code>, <code>fill_page</code> and <code>build_image_url</code>. The URL of the Model
    Context Protocol is <code>${rootUrl}${routes.mcp}</code>. Models should read <a href="${prefix}${routes.llms}">llms.txt</a> first. Agents
    have a skill, <a href="${prefix}${skillPath}">skill.md</a>.</p>
  ${writeMcpConfigurations(`${rootUrl}${routes.mcp}`).map(([host, code]) => writeSnippet(host, code))}
  <h2>Programs that call OpenAI’s images API</h2>
  <p>Give them this base URL, your API key, and the model <code>ai</code> (OpenAI’s own names mean the same), <code>stock</code>, or
    <code>auto</code>, which is stock, and AI if nothing fits.</p>
  ${writeSnippet('Shell', `export OPENAI_BASE_URL=${rootUrl}/v1 OPENAI_API_KEY=$KEY`)}
  ${writeSnippet(
    'Python',
    `from openai import OpenAI

images = OpenAI().images.generate(model="stock", prompt="mountain lake", size="1024x1024", n=2)
for image in images.data:
    print(image.url, image.revised_prompt)  # the URL may be published; the text is the credit line`,
  )}`,
});

const makeAiCostsGuide = (): Topic => ({
  id: 'ai-costs',
  title: 'AI images and what they cost',
  content: html`<p>Free requests work even when the quota is used up. An image is made in the aspect ratio that is nearest to the requested size,
    and then cropped. An account gets the same image for the same words. Other accounts get another image.</p>
  ${writeHtmlTable('What AI images cost', costs)}
  <h2>An image that is still being made</h2>
  <p>The answer is a card, <code>generation_in_progress</code>. The card is an image too, so the browser fires no error event. This script
    asks again until the image is made. Only the delivered image is charged.</p>
  ${writeSnippet('Script', `<script>\n${reloadScript}\n</script>`)}`,
});

const makeCreditsGuide = (): Topic => ({
  id: 'credit-due',
  title: 'Credit lines',
  content: html`<p>Most stock images require a visible credit: creator, source and licence. In the record, the credit is
    <code>attribution.creditLine</code>, and <code>html</code> shows it if the licence asks for it. The header
    <code>X-Image-Attribution</code> has the credit in ASCII. <code>Link</code> has the licence.</p>
  <p>Scripts of a page cannot read the headers of a redirect: request the record if a credit is required. AI images require no
    credit line. Their metadata marks them as generated; tell your readers if they should know it.</p>`,
});
