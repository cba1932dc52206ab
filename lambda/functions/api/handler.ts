/** Routes each request of the function `api` to the code that answers it. */

import { routes } from '../../contract/routes';
import {
  createHttpHandler,
  type HttpHandler,
  type Route,
  type RoutesByMethod,
} from '../../http/http-handler';
import { writeProblem } from '../../openai/errors';
import { recordUsage } from '../../quota/usage/usage';
import type { Services } from '../../services/services';
import { readKeyIssuer } from '../../services/settings';
import { listUsageOfRefusal } from '../../serving/answer';
import { getImage, getPermalink } from './image';
import { loadRouteCode, type RouteCode } from './load-route-code';

type InstanceServices = Omit<Services, 'deadline' | 'rootUrl'>;

/** A route whose code is loaded with its first request, so that no start for an image waits for it. */
const lazyRoute =
  (routeOf: (module: RouteCode) => Route<InstanceServices>): Route<InstanceServices> =>
  async (services, request) =>
    routeOf(await loadRouteCode())(services, request);

const image = { GET: getImage };
const document = { GET: lazyRoute((module) => module.getDocument) };
const openAi = lazyRoute((module) => module.routeOpenAiCall);

/** Every path of the API with the route of each method; any other is `otherPath`. */
export const apiRoutes = {
  [routes.image]: image,
  [routes.permalink]: { GET: getPermalink },
  [routes.imagePath]: image,
  [routes.images]: { POST: lazyRoute((module) => module.postImages) },
  [routes.pages]: { POST: lazyRoute((module) => module.postPages) },
  [routes.mcp]: { POST: lazyRoute((module) => module.postMcp) },
  [routes.models]: { GET: openAi },
  [routes.model]: { GET: openAi },
  [routes.generations]: { POST: openAi },
  [routes.openAi]: { GET: openAi, POST: openAi },
  [routes.usage]: { GET: lazyRoute((module) => module.getUsage) },
  [routes.keys]: { GET: lazyRoute((module) => module.getKeys), POST: lazyRoute((module) => module.postKey) },
  [routes.key]: {
    PATCH: lazyRoute((module) => module.patchKey),
    DELETE: lazyRoute((module) => module.deleteKey),
  },
  [routes.keySuccessor]: { POST: lazyRoute((module) => module.postKeySuccessor) },
  [routes.docs]: document,
  [routes.accountPage]: document,
  [routes.openApi]: document,
  [routes.llms]: document,
  [routes.otherPath]: { GET: lazyRoute((module) => module.getOtherPath) },
} satisfies Readonly<Record<string, RoutesByMethod<InstanceServices>>>;

/** Makes the handler that Lambda calls with REST proxy events. */
export function createApiHandler(services: InstanceServices): HttpHandler {
  const { PLANS: plans, ROOT_URL: rootUrl } = services.config;
  return createHttpHandler(services, {
    routes: apiRoutes,
    shapeProblem: ({ resource }, problem, headers) =>
      resource.startsWith('/v1/') ? writeProblem(problem, headers) : undefined,
    countRefusal: async (requestServices, request, refusal) => {
      const isCountedRoute = request.resource !== routes.usage && request.resource !== routes.otherPath;
      const { caller } = request;
      if (isCountedRoute && !('refusal' in caller))
        await recordUsage(requestServices, plans, caller, request, listUsageOfRefusal(refusal));
    },
    keyIssuer: readKeyIssuer(services.config),
    rootUrl,
  });
}
