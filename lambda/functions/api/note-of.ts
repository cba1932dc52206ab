/** What callers should know of the names of their parameters. */

import { permalinkParameters } from '../../contract/parameters';
import { routes } from '../../contract/routes';
import type { HttpRequest } from '../../http/http-request';
import { noteOnNames } from '../../requests/parse-request';

/** The note on the names in a request for an image; `undefined` on every other route. */
export function noteOf({ resource, query }: Pick<HttpRequest, 'resource' | 'query'>): string | undefined {
  switch (resource) {
    case routes.image:
    case routes.imagePath:
      return noteOnNames({ values: query });
    case routes.permalink:
      return noteOnNames({ values: query }, permalinkParameters);
    default:
      return undefined;
  }
}
