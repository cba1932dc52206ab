/** The documentation as one page of plain text, for programs that write pages. */

import { bounds, parameterNames, parameterTexts } from '../../contract/parameters';
import {
  anonymousRequestsPerHour,
  type Plans,
  planNames,
  testRequestsPerHour,
  unlimitedRequests,
} from '../../contract/plans';
import { problems } from '../../domain/problem/problem';

/**
 * Markdown in the form of https://llmstxt.org: a title, a summary, then what one needs to know.
 * @param rootUrl root of the service, without a trailing slash
 */
export function llmsText(rootUrl: string, plans: Plans): string {
  const plain = (text: string) => text.replaceAll('`', '');
  const amount = (units: number) => (units === unlimitedRequests ? 'unlimited' : units.toLocaleString('en'));
  return `# Image Redirect

> One address in an image tag answers with a redirect (302) to an image that fits its words, cropped to exactly the
> requested size. Images come from stock sources, or are drawn by AI for callers with a key.

## Use it in a page

    <img src="${rootUrl}/api/image/1200x800-mountain-lake" width="1200" height="800" alt="A mountain lake">

The form is {width}x{height}-{words}, words separated by "-". The same request with parameters:

    ${rootUrl}/api/image?query=mountain%20lake&width=1200&height=800

- The same address gives the same image. Add ?seed=2 (any short text) for another stock image of the same words.
- Always write width, height and alt on the tag. Two or three plain words find the most.
- Never put an API key into a page: an image tag shows it to everybody. Ask from a server with the X-API-Key header.
- An error shows as a card of the right size with an honest status; nothing is ever a broken image.

## Credit

Most stock images require a visible credit. An image tag cannot see it, so ask for the record first:

    GET ${rootUrl}/api/image/1200x800-mountain-lake?format=json

    {"url", "width", "height", "source", "cache", "imageId",
     "attribution": {"providerName", "creator", "creatorUrl", "landingUrl", "license": {"id", "name", "url"}, "creditLine"}}

Use url as the src of the tag and print attribution.creditLine beside it.

## Parameters

${parameterNames.map((name) => `- ${name}: ${plain(parameterTexts[name].purpose)} Accepts ${bounds[name]}.`).join('\n')}

## Limits

- Without a key: ${anonymousRequestsPerHour} requests an hour, stock images only.
${planNames.map((name) => `- Plan ${name}: ${amount(plans[name].monthlyRequests)} requests a UTC month.`).join('\n')}
- Test keys (pk_test_…): ${testRequestsPerHour} requests an hour, apart from the quota.
- X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset stand on every metered answer. After 429 or 503 wait for
  Retry-After seconds.
- What is not answered with an image costs nothing. GET ${rootUrl}/api/usage tells a key what its account used.

## Errors

application/problem+json with type, title, status, detail, code and requestId.

${Object.entries(problems)
  .map(([code, { status, title }]) => `- ${code} (${status}): ${title}.`)
  .join('\n')}

## More

- [OpenAPI 3.1 description](${rootUrl}/openapi.json)
- [Documentation and playground](${rootUrl}/)
`;
}
