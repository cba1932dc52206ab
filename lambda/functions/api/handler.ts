/** The function behind the API: one table of its routes. */

import { routes } from '../../contract/routes';
import { type HttpHandler, httpHandler, type RoutesByMethod } from '../../http/http-handler';
import type { HttpRequest } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import { usageOfRefusal } from '../../images/answer';
import { asOpenAiError } from '../../openai/errors';
import { rawRequestOf, sizeOf } from '../../requests/parse-request';
import type { Size } from '../../requests/rendition';
import type { ImageServices } from '../../services';
import {
  answerKeys,
  callOpenAi,
  getImage,
  getPermalink,
  noteOf,
  postImages,
  postMcp,
  postPages,
} from './images';

const image = { GET: getImage };
const document = { GET: getDocument };

/** Every path of the API, with what answers each of its methods; a path that is none is `elsewhere`. */
export const apiRoutes = {
  [routes.image]: image,
  [routes.permalink]: { GET: getPermalink },
  [routes.imagePath]: image,
  [routes.images]: { POST: postImages },
  [routes.pages]: { POST: postPages },
  [routes.mcp]: { POST: postMcp },
  [routes.models]: { GET: callOpenAi },
  [routes.model]: { GET: callOpenAi },
  [routes.generations]: { POST: callOpenAi },
  [routes.openAi]: { GET: callOpenAi, POST: callOpenAi },
  [routes.usage]: { GET: getUsage },
  [routes.keys]: { GET: answerKeys, POST: answerKeys },
  [routes.key]: { PATCH: answerKeys, DELETE: answerKeys },
  [routes.keySuccessor]: { POST: answerKeys },
  [routes.docs]: document,
  [routes.accountPage]: document,
  [routes.openApi]: document,
  [routes.llms]: document,
  [routes.elsewhere]: { GET: getElsewhere },
} satisfies Readonly<Record<string, RoutesByMethod<ImageServices>>>;

/** The handler that Lambda calls with REST proxy events. */
export function apiHandler(services: Omit<ImageServices, 'deadline'>): HttpHandler {
  return httpHandler(services, {
    routes: apiRoutes,
    shapeRefusal: ({ resource }, problem) => (resource.startsWith('/v1/') ? asOpenAiError(problem) : problem),
    cardSizeOf,
    noteOf,
    contact: services.config.CONTACT,
    onRefusal: async ({ parts }, request, refusal) => {
      const isOfImages = request.resource !== routes.usage && request.resource !== routes.elsewhere;
      if (isOfImages && request.admission.outcome === 'known')
        await parts.recordUsage(request.admission.caller, request, usageOfRefusal(refusal));
    },
    rootUrl: services.config.ROOT_URL,
  });
}

// What follows stands behind the one boundary that a known image does not cross.

async function getUsage(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
  return (await import('./miss')).getUsage(services, request);
}

async function getDocument(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
  return (await import('./miss')).getDocument(services, request);
}

async function getElsewhere(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
  return (await import('./miss')).getElsewhere(services, request);
}

/** The size that a URL asks for, also a mistyped one such as `/API/image/300x200-sea`, so that the page keeps its layout. */
function cardSizeOf(request: HttpRequest): Size {
  const elsewhere = request.pathParameters['path'];
  if (elsewhere === undefined) return sizeOf(rawRequestOf(request));
  const spec = /(?:^|\/)(\d.*)$/s.exec(elsewhere)?.[1];
  return sizeOf({ values: request.query, ...(spec === undefined ? {} : { segment: spec }) });
}
