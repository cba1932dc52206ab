/** Turns the parameters of either form into one valid request, or into the list of everything that is wrong with them. */

import {
  bounds,
  type ParameterName,
  parameterNames,
  parameters,
  pathFormParameters,
  permalinkParameters,
} from '../../../contract/parameters';
import { sidePx } from '../../../contract/request-bounds';
import type { Size } from '../../../domain/image/image';
import type { ParameterFault, Refusal } from '../../../domain/problem/problem';
import type { ImageRequest } from '../../../domain/request/image-request';
import type { HttpRequest } from '../../../http/http-request';
import { readPathForm } from './path-form';

/** What the event holds of a request: the segment of the path form, if any, and every value of every parameter. */
export interface RawRequest {
  readonly segment?: string;
  readonly values: Readonly<Record<string, readonly string[] | undefined>>;
}

export function rawRequestOf({ pathParameters, query }: HttpRequest): RawRequest {
  const segment = pathParameters['spec'];
  return { values: query, ...(segment === undefined ? {} : { segment }) };
}

export type ParsedRequest =
  | { readonly outcome: 'valid'; readonly request: ImageRequest }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

export function parseRequest({ segment, values }: RawRequest): ParsedRequest {
  const invalid: ParameterFault[] = [];
  const conflicting: ParameterFault[] = [];
  const input: Partial<Record<ParameterName, string>> = {};

  for (const name of parameterNames) {
    const given = values[name] ?? [];
    if (given.length > 1) invalid.push({ parameter: name, bounds: 'to be given once' });
    if (given[0] !== undefined) input[name] = given[0];
  }
  const path = segment === undefined ? undefined : readPathForm(segment);
  if (path) {
    for (const name of pathFormParameters) {
      if (input[name] !== undefined)
        conflicting.push({ parameter: name, bounds: 'stands in the path already' });
    }
    if ('fault' in path) invalid.unshift({ parameter: 'path', bounds: path.fault });
    else Object.assign(input, path);
  }

  const parsed = parameters.safeParse(input);
  for (const issue of parsed.error?.issues ?? []) {
    const parameter = issue.path[0] as ParameterName;
    // What an unreadable path would have held cannot be judged beside it.
    if (path && 'fault' in path && pathFormParameters.some((name) => name === parameter)) continue;
    if (!invalid.some((fault) => fault.parameter === parameter))
      invalid.push({ parameter, bounds: bounds[parameter] });
  }
  if (input.variation !== undefined && input.alt !== undefined)
    conflicting.push({ parameter: 'alt', bounds: 'not together with variation' });

  if (invalid.length > 0) return refused('invalid_parameter', [...invalid, ...conflicting]);
  if (conflicting.length > 0) return refused('conflicting_parameters', conflicting);
  return { outcome: 'valid', request: requestFrom(parsed.data as NonNullable<typeof parsed.data>) };
}

export type ParsedPermalink =
  | { readonly outcome: 'valid'; readonly size: Size; readonly asJson: boolean }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** A permalink takes a size and a format; everything else about the image is settled. */
export function parsePermalink({ values }: RawRequest): ParsedPermalink {
  const taken = permalinkParameters.map((name) => [name, values[name]]);
  const parsed = parseRequest({ values: { query: ['permalink'], ...Object.fromEntries(taken) } });
  if (parsed.outcome === 'refused') return parsed;
  const { widthPx, heightPx, asJson } = parsed.request;
  return { outcome: 'valid', size: { widthPx, heightPx }, asJson };
}

/**
 * The size a card should have for a request that may be faulty: each side that is valid by itself, else its default.
 * An image tag whose query is missing still keeps its place on the page.
 */
export function sizeOf({ segment, values }: RawRequest): Size {
  const path = segment === undefined ? undefined : readPathForm(segment);
  const given =
    path && !('fault' in path) ? path : { width: values['width']?.[0], height: values['height']?.[0] };
  const { width, height } = parameters.shape;
  return {
    widthPx: width.safeParse(given.width).data ?? sidePx.defaultWidth,
    heightPx: height.safeParse(given.height).data ?? sidePx.defaultHeight,
  };
}

function refused(
  code: 'invalid_parameter' | 'conflicting_parameters',
  faults: readonly ParameterFault[],
): ParsedRequest {
  return { outcome: 'refused', refusal: { code, faults } };
}

function requestFrom(data: NonNullable<ReturnType<typeof parameters.safeParse>['data']>): ImageRequest {
  const { query, width: widthPx, height: heightPx, provider, style, visibility, variation, alt, seed } = data;
  const basics = { query, widthPx, heightPx, asJson: data.format === 'json' };
  if (provider !== 'ai') return { ...basics, provider, seed };
  return {
    ...basics,
    provider,
    style,
    visibility,
    ...(variation === undefined ? {} : { variation }),
    ...(alt === undefined ? {} : { alt }),
  };
}
