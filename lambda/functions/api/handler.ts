/** The function behind the API: one table of its routes. */

import { routes } from '../../contract/routes';
import { type HttpHandler, httpHandler, type Route, type RoutesByMethod } from '../../http/http-handler';
import type { HttpRequest } from '../../http/http-request';
import { usageOfRefusal } from '../../images/answer';
import { asOpenAiError } from '../../openai/errors';
import { recordUsage } from '../../quota/usage/usage';
import { sizeOf } from '../../requests/parse-request';
import type { Size } from '../../requests/rendition';
import type { Services } from '../../services';
import { getImage, getPermalink, noteOf } from './image';

type OfInstance = Omit<Services, 'deadline'>;
type Elsewhere = typeof import('./elsewhere');

/** A route of what a known image does not need. */
const elsewhere =
  (routeIn: (its: Elsewhere) => Route<OfInstance>): Route<OfInstance> =>
  async (services, request) => {
    services.reached.rootUrl = request.rootUrl;
    return routeIn(await import('./elsewhere'))(services, request);
  };

const image = { GET: getImage };
const document = { GET: elsewhere((its) => its.getDocument) };
const openAi = elsewhere((its) => its.callOpenAi);
const keys = elsewhere((its) => its.answerKeys);

/** Every path of the API, with what answers each of its methods; a path that is none is `elsewhere`. */
export const apiRoutes = {
  [routes.image]: image,
  [routes.permalink]: { GET: getPermalink },
  [routes.imagePath]: image,
  [routes.images]: { POST: elsewhere((its) => its.postImages) },
  [routes.pages]: { POST: elsewhere((its) => its.postPages) },
  [routes.mcp]: { POST: elsewhere((its) => its.postMcp) },
  [routes.models]: { GET: openAi },
  [routes.model]: { GET: openAi },
  [routes.generations]: { POST: openAi },
  [routes.openAi]: { GET: openAi, POST: openAi },
  [routes.usage]: { GET: elsewhere((its) => its.getUsage) },
  [routes.keys]: { GET: keys, POST: keys },
  [routes.key]: { PATCH: keys, DELETE: keys },
  [routes.keySuccessor]: { POST: keys },
  [routes.docs]: document,
  [routes.accountPage]: document,
  [routes.openApi]: document,
  [routes.llms]: document,
  [routes.elsewhere]: { GET: elsewhere((its) => its.getElsewhere) },
} satisfies Readonly<Record<string, RoutesByMethod<OfInstance>>>;

/** The handler that Lambda calls with REST proxy events. */
export function apiHandler(services: OfInstance): HttpHandler {
  const { CONTACT: contact, PLANS: plans, ROOT_URL: rootUrl } = services.config;
  return httpHandler(services, {
    routes: apiRoutes,
    shapeRefusal: ({ resource }, problem) => (resource.startsWith('/v1/') ? asOpenAiError(problem) : problem),
    cardSizeOf,
    noteOf,
    contact,
    onRefusal: async (ofRequest, request, refusal) => {
      const isOfImages = request.resource !== routes.usage && request.resource !== routes.elsewhere;
      const { caller } = request;
      if (isOfImages && !('refusal' in caller))
        await recordUsage(ofRequest, plans, caller, request, usageOfRefusal(refusal));
    },
    rootUrl,
  });
}

/** The size that a URL asks for, also a mistyped one such as `/API/image/300x200-sea`, so that the page keeps its layout. */
function cardSizeOf(request: HttpRequest): Size {
  const path = request.pathParameters['path'];
  if (path === undefined) return sizeOf(request);
  const spec = /(?:^|\/)(\d.*)$/s.exec(path)?.[1];
  return sizeOf({ query: request.query, pathParameters: { spec } });
}
