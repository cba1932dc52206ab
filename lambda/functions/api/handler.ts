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

/** Makes a route whose code is loaded with its first request. */
const makeLazyRoute =
  (chooseRoute: (module: RouteCode) => Route<InstanceServices>): Route<InstanceServices> =>
  async (services, request) =>
    chooseRoute(await loadRouteCode())(services, request);

const image = { GET: getImage };
const document = { GET: makeLazyRoute((module) => module.getDocument) };
const openAi = makeLazyRoute((module) => module.routeOpenAiCall);

/** The routes of the API by path and method. `otherPath` fits every other path. */
export const apiRoutes = {
  [routes.image]: image,
  [routes.permalink]: { GET: getPermalink },
  [routes.imagePath]: image,
  [routes.images]: { POST: makeLazyRoute((module) => module.postImages) },
  [routes.pages]: { POST: makeLazyRoute((module) => module.postPages) },
  [routes.mcp]: { POST: makeLazyRoute((module) => module.postMcp) },
  [routes.models]: { GET: openAi },
  [routes.model]: { GET: openAi },
  [routes.generations]: { POST: openAi },
  [routes.openAi]: { GET: openAi, POST: openAi },
  [routes.usage]: { GET: makeLazyRoute((module) => module.getUsage) },
  [routes.keys]: {
    GET: makeLazyRoute((module) => module.getKeys),
    POST: makeLazyRoute((module) => module.postKey),
  },
  [routes.key]: {
    PATCH: makeLazyRoute((module) => module.patchKey),
    DELETE: makeLazyRoute((module) => module.deleteKey),
  },
  [routes.keySuccessor]: { POST: makeLazyRoute((module) => module.postKeySuccessor) },
  [routes.docs]: document,
  [routes.accountPage]: document,
  [routes.openApi]: document,
  [routes.llms]: document,
  [routes.otherPath]: { GET: makeLazyRoute((module) => module.getOtherPath) },
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
