/** Turns the parameters of either form into one valid request, or into the list of everything that is wrong with them. */

import {
  bounds,
  type ParameterName,
  parameterNames,
  parameters,
  pathFormParameters,
} from '../contract/parameters';
import { avoidables, sidePx } from '../contract/request-bounds';
import type { ParameterFault, Refusal } from '../problems/problem';
import type { Filters, ImageRequest } from './image-request';
import { readPathForm } from './path-form';
import { nearestSidePx, type RenditionFormat, type Size } from './rendition';
import type { SizeBelow } from './size-below';

/** What the event holds of a request: the path form below `/api/image/`, if any, and every value of every parameter. */
export interface RawRequest {
  readonly segment?: string;
  readonly values: Readonly<Record<string, readonly string[] | undefined>>;
}

/**
 * @param pathParameters values of the route's variables, percent-encoded as the caller sent them
 * @param query every value of every query parameter, decoded
 */
export function rawRequestOf({
  pathParameters,
  query,
}: {
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  readonly query: RawRequest['values'];
}): RawRequest {
  const { spec, rest } = pathParameters;
  if (spec === undefined) return { values: query };
  return { values: query, segment: rest === undefined ? spec : `${spec}/${rest}` };
}

/** A valid request, or each of its faults by parameter. */
export type ParsedRequest =
  | {
      readonly outcome: 'valid';
      readonly request: ImageRequest;
      /** The format that the path names by an extension; no part of the request's identity. */
      readonly extension?: RenditionFormat;
    }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** @param sizeBelow the rule for `upto`, which is loaded with what verifies signatures; absent for a URL without one */
export function parseRequest({ segment, values }: RawRequest, sizeBelow?: SizeBelow): ParsedRequest {
  const path = segment === undefined ? undefined : readPathForm(segment);
  const isUnreadable = path !== undefined && 'fault' in path;
  const given = firstOf(values);
  const stated = isUnreadable ? given : { ...given, ...path };
  const size = sizeFrom(stated, sizeBelow);
  const sizeFaults = 'parameter' in size ? [size] : [];
  const isPickAlone = stated.pick !== undefined && !stated.query;
  const parsed = parameters.safeParse({
    ...stated,
    ...(isPickAlone && { query: 'pick' }),
    ...('parameter' in size ? {} : size),
  });

  const invalid = oncePerParameter([
    ...(isUnreadable ? [{ parameter: 'path', bounds: path.fault }] : []),
    ...repeatedIn(values),
    ...sizeFaults,
    ...outOfBounds(parsed.error?.issues ?? [], isUnreadable),
  ]);
  const conflicting = [...(path ? statedTwice(given) : []), ...contradictions(given)];
  if (invalid.length > 0) return refused('invalid_parameter', [...invalid, ...conflicting]);
  if (conflicting.length > 0) return refused('conflicting_parameters', conflicting);
  const data = parsed.data as NonNullable<typeof parsed.data>;
  return {
    outcome: 'valid',
    request: requestFrom(isPickAlone ? { ...data, query: '' } : data),
    ...(path && 'extension' in path ? { extension: path.extension } : {}),
  };
}

/** The refusal of a request that states a parameter twice: for a signed URL, before its signature is judged. */
export function repetitionIn({
  segment,
  values,
}: RawRequest): Extract<ParsedRequest, { outcome: 'refused' }> | undefined {
  const repeated = repeatedIn(values);
  const inPath = segment === undefined ? [] : statedTwice(firstOf(values));
  if (repeated.length > 0) return refused('invalid_parameter', oncePerParameter([...repeated, ...inPath]));
  return inPath.length > 0 ? refused('conflicting_parameters', inPath) : undefined;
}

type GivenParameters = Readonly<Partial<Record<ParameterName, string>>>;

function firstOf(values: RawRequest['values']): GivenParameters {
  return Object.fromEntries(parameterNames.map((name) => [name, values[name]?.[0]]));
}

/** The sides that the schema is to judge, where `upto` or the other side decides about them, or what is wrong. */
function sizeFrom(
  stated: GivenParameters,
  sizeBelow: SizeBelow | undefined,
): Partial<GivenParameters> | ParameterFault {
  const { upto, width, height } = stated;
  if (upto === undefined && (width === undefined) !== (height === undefined)) {
    const { widthPx, heightPx } = sidesFrom(width, height);
    return width === undefined ? { width: String(widthPx) } : { height: String(heightPx) };
  }
  // Out of bounds, it is the schema's to refuse.
  if (upto === undefined || !parameters.shape.upto.safeParse(upto).success) return {};
  if (!sizeBelow) return { parameter: 'upto', bounds: 'in a signed URL only' };
  return sizeBelow(upto, stated);
}

function repeatedIn(values: RawRequest['values']): readonly ParameterFault[] {
  const repeated = parameterNames.filter((name) => (values[name]?.length ?? 0) > 1);
  return repeated.map((parameter) => ({ parameter, bounds: 'must be given only once' }));
}

/** @param isUnreadable whether the path could not be read: what it would have held cannot be judged then */
function outOfBounds(
  issues: readonly { readonly path: readonly PropertyKey[] }[],
  isUnreadable: boolean,
): readonly ParameterFault[] {
  const names = issues.map(({ path: [name] }) => name as ParameterName);
  const judged = isUnreadable ? names.filter((name) => !isInPath(name)) : names;
  return judged.map((parameter) => ({ parameter, bounds: bounds[parameter] }));
}

function isInPath(name: ParameterName): boolean {
  return (pathFormParameters as readonly ParameterName[]).includes(name);
}

/** The first fault of each parameter. */
export function oncePerParameter(faults: readonly ParameterFault[]): readonly ParameterFault[] {
  return faults.filter(({ parameter }, i) => faults.findIndex((it) => it.parameter === parameter) === i);
}

function statedTwice(given: GivenParameters): readonly ParameterFault[] {
  const repeated = pathFormParameters.filter((name) => given[name] !== undefined);
  return repeated.map((parameter) => ({ parameter, bounds: 'is already given in the path' }));
}

function contradictions({ variation, alt }: GivenParameters): readonly ParameterFault[] {
  if (variation === undefined || alt === undefined) return [];
  return (['variation', 'alt'] as const).map((parameter, i, both) => ({
    parameter,
    bounds: `cannot be combined with ${both[1 - i]}`,
  }));
}

/**
 * The size of a card for a request that may be faulty: that of the image it would have been, as far as it can be read, so
 * that an image tag keeps about its place on the page.
 */
export function sizeOf({ segment, values }: RawRequest): Size {
  const path = segment === undefined ? undefined : readPathForm(segment);
  return path?.width === undefined
    ? sidesFrom(values['width']?.[0], values['height']?.[0])
    : sidesFrom(path.width, path.height);
}

/** Both sides: one that is absent or out of bounds follows from the other by the default's ratio. */
function sidesFrom(width: string | undefined, height: string | undefined): Size {
  const ratio = sidePx.defaultWidth / sidePx.defaultHeight;
  const sideIn = (text = '') => parameters.shape.width.safeParse(text).data;
  const heightPx = sideIn(height);
  const widthPx =
    sideIn(width) ?? (heightPx === undefined ? sidePx.defaultWidth : nearestSidePx(heightPx * ratio));
  return { widthPx, heightPx: heightPx ?? nearestSidePx(widthPx / ratio) };
}

function refused(
  code: 'invalid_parameter' | 'conflicting_parameters',
  faults: readonly ParameterFault[],
): Extract<ParsedRequest, { outcome: 'refused' }> {
  return { outcome: 'refused', refusal: { code, faults } };
}

type Parameters = NonNullable<ReturnType<typeof parameters.safeParse>['data']>;

function filtersFrom({ avoid, color, license, lang, crop, onmiss, space }: Parameters): Filters {
  const avoided = avoid?.split(',');
  return {
    ...(avoided && { avoid: avoidables.filter((each) => avoided.includes(each)) }),
    ...(color !== undefined && { color }),
    ...(license !== 'any' && { license }),
    ...(lang !== undefined && { lang }),
    ...(crop !== 'attention' && { crop }),
    ...(space !== undefined && { space }),
    ...(onmiss && { onmiss }),
  };
}

function requestFrom(data: Parameters): ImageRequest {
  const {
    query,
    width: widthPx,
    height: heightPx,
    provider,
    pick,
    label,
    style,
    visibility,
    variation,
    alt,
    seed,
  } = data;
  const basics = {
    query,
    widthPx,
    heightPx,
    asJson: data.format === 'json',
    ...(data.format === 'placeholder' && { asPlaceholder: true as const }),
    ...(label && { label }),
    ...(pick !== undefined && { pick }),
  };
  if (provider !== 'ai') {
    const { crop, ...others } = filtersFrom(data);
    const kept = pick === undefined ? others : {};
    return { ...basics, provider, seed, filters: { ...kept, ...(crop && { crop }) } };
  }
  return {
    ...basics,
    provider,
    style,
    visibility,
    ...(variation && { variation }),
    ...(alt && { alt }),
  };
}
