/** Routes each request of the function `api` to the code that answers it. */

import { routes } from '../../contract/routes';
import { type HttpHandler, httpHandler, type Route, type RoutesByMethod } from '../../http/http-handler';
import { errorOfProblem } from '../../openai/errors';
import { usageOfRefusal } from '../../quota/answer';
import { recordUsage } from '../../quota/usage/usage';
import type { Services } from '../../services/services';
import { getImage, getPermalink } from './image';
import { loadOnDemand, type OnDemand } from './load-on-demand';

type InstanceServices = Omit<Services, 'deadline' | 'rootUrl'>;

/** A route whose code is loaded with its first request, so that no start for an image waits for it. */
const onDemand =
  (routeOf: (module: OnDemand) => Route<InstanceServices>): Route<InstanceServices> =>
  async (services, request) =>
    routeOf(await loadOnDemand())(services, request);

const image = { GET: getImage };
const document = { GET: onDemand((module) => module.getDocument) };
const openAi = onDemand((module) => module.openAiRoute);

/** Every path of the API with the route of each method; any other is `otherPath`. */
export const apiRoutes = {
  [routes.image]: image,
  [routes.permalink]: { GET: getPermalink },
  [routes.imagePath]: image,
  [routes.images]: { POST: onDemand((module) => module.postImages) },
  [routes.pages]: { POST: onDemand((module) => module.postPages) },
  [routes.mcp]: { POST: onDemand((module) => module.postMcp) },
  [routes.models]: { GET: openAi },
  [routes.model]: { GET: openAi },
  [routes.generations]: { POST: openAi },
  [routes.openAi]: { GET: openAi, POST: openAi },
  [routes.usage]: { GET: onDemand((module) => module.getUsage) },
  [routes.keys]: { GET: onDemand((module) => module.getKeys), POST: onDemand((module) => module.postKey) },
  [routes.key]: {
    PATCH: onDemand((module) => module.patchKey),
    DELETE: onDemand((module) => module.deleteKey),
  },
  [routes.keySuccessor]: { POST: onDemand((module) => module.postKeySuccessor) },
  [routes.docs]: document,
  [routes.accountPage]: document,
  [routes.openApi]: document,
  [routes.llms]: document,
  [routes.otherPath]: { GET: onDemand((module) => module.getOtherPath) },
} satisfies Readonly<Record<string, RoutesByMethod<InstanceServices>>>;

/** Makes the handler that Lambda calls with REST proxy events. */
export function apiHandler(services: InstanceServices): HttpHandler {
  const { CONTACT: contact, PLANS: plans, ROOT_URL: rootUrl } = services.config;
  return httpHandler(services, {
    routes: apiRoutes,
    shapeProblem: ({ resource }, problem, headers) =>
      resource.startsWith('/v1/') ? errorOfProblem(problem, headers) : undefined,
    countRefusal: async (requestServices, request, refusal) => {
      const isCountedRoute = request.resource !== routes.usage && request.resource !== routes.otherPath;
      const { caller } = request;
      if (isCountedRoute && !('refusal' in caller))
        await recordUsage(requestServices, plans, caller, request, usageOfRefusal(refusal));
    },
    contact,
    rootUrl,
  });
}
