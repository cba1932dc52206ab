/** Turns the parameters of either form into one valid request, or into the list of everything that is wrong with them. */

import {
  bounds,
  credentialParameters,
  type ParameterName,
  type ParameterValues,
  parameterNames,
  parameters,
  pathFormParameters,
} from '../contract/parameters';
import { avoidables, sidePx } from '../contract/request-bounds';
import { routes } from '../contract/routes';
import type { ParameterFault, ParameterRefusal } from '../problems/problem';
import { receivedText } from '../problems/received';
import { ignoredNote } from './ignored-note';
import type { Filters, ImageRequest } from './image-request';
import { shortNames } from './parameter-names';
import { decodePercent, readPathForm } from './path-form';
import { nearestSidePx, type RenditionFormat, type Size } from './rendition';
import { sizeBelow } from './size-below';

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
  const { spec } = pathParameters;
  return { values: query, ...(spec !== undefined && { segment: spec }) };
}

/** A valid request, or each of its faults by parameter. */
export type ParsedRequest =
  | {
      readonly outcome: 'valid';
      readonly request: ImageRequest;
      /** The format that the path names by an extension; no part of the request's identity. */
      readonly extension?: RenditionFormat;
    }
  | { readonly outcome: 'refused'; readonly refusal: ParameterRefusal };

/** @param isSigned whether its signature was verified: `upto` decides about the size of such a request alone */
export function parseRequest({ segment, values }: RawRequest, isSigned = false): ParsedRequest {
  const path = segment === undefined ? undefined : readPathForm(segment);
  const isUnreadable = path !== undefined && 'fault' in path;
  const given = firstOf(values);
  const stated = isUnreadable ? given : { ...given, ...path };
  const size = sizeFrom(stated, isSigned);
  const sizeFaults = 'parameter' in size ? [size] : [];
  const isPickAlone = stated.pick !== undefined && !stated.query;
  const { values: read, invalid: outside } = readAll({
    ...stated,
    ...(isPickAlone && { query: 'pick' }),
    ...('parameter' in size ? {} : size),
  });

  const invalid = oncePerParameter([
    ...(isUnreadable
      ? [{ parameter: 'path', bounds: path.fault, received: receivedText(decodePercent(segment ?? '').text) }]
      : []),
    ...repeatedIn(values),
    ...sizeFaults,
    ...outOfBounds(outside, isUnreadable),
  ]);
  const conflicting = [...(path ? statedTwice(given) : []), ...contradictions(given)];
  const faults = [...invalid, ...conflicting].map((fault) => withReceived(fault, stated));
  if (invalid.length > 0) {
    const nearest = isSigned ? undefined : nearestRequest(faults, segment, values, stated);
    return refused('invalid_parameter', faults, nearest);
  }
  if (faults.length > 0) return refused('conflicting_parameters', faults);
  return {
    outcome: 'valid',
    request: requestFrom(isPickAlone ? { ...read, query: '' } : read),
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
  const faults = oncePerParameter([...repeated, ...inPath]);
  if (faults.length === 0) return undefined;
  return refused(repeated.length > 0 ? 'invalid_parameter' : 'conflicting_parameters', faults);
}

/**
 * What the caller should know of names that have no effect; `undefined` for nothing.
 * @param known the names that have a meaning in such a request
 */
export function noteOnNames(
  { values }: Pick<RawRequest, 'values'>,
  known: readonly string[] = parameterNames,
): string | undefined {
  return ignoredNote(Object.keys(values), known, values['provider']?.[0] === 'ai');
}

type GivenParameters = Readonly<Partial<Record<ParameterName, string>>>;

function firstOf(values: RawRequest['values']): GivenParameters {
  return Object.fromEntries(parameterNames.map((name) => [name, values[name]?.[0]]));
}

/** The sides that are to be judged, where `upto` or the other side decides about them, or what is wrong. */
function sizeFrom(stated: GivenParameters, isSigned: boolean): Partial<GivenParameters> | ParameterFault {
  const { upto, width, height } = stated;
  if (upto === undefined && (width === undefined) !== (height === undefined)) {
    const { widthPx, heightPx } = sidesFrom(pixelsIn(width), pixelsIn(height));
    return width === undefined ? { width: String(widthPx) } : { height: String(heightPx) };
  }
  // Out of bounds, it is refused with the others.
  if (upto === undefined || parameters.upto.read(upto) === undefined) return {};
  if (!isSigned) return { parameter: 'upto', bounds: 'in a signed URL only' };
  return sizeBelow(upto, stated);
}

/** The value of each parameter, and those whose text is out of bounds, in their order. */
function readAll(given: GivenParameters): {
  readonly values: ParameterValues;
  readonly invalid: readonly ParameterName[];
} {
  const invalid: ParameterName[] = [];
  const values: Partial<Record<ParameterName, unknown>> = {};
  for (const name of parameterNames) {
    const { read, absent } = parameters[name];
    const text = given[name];
    values[name] = text === undefined ? absent : read(text);
    const isMissing = text === undefined ? name === 'query' : values[name] === undefined;
    if (isMissing) invalid.push(name);
  }
  return { values: values as ParameterValues, invalid };
}

/** An API key that is given twice is for the authorizer to judge: the same one twice is one. */
function repeatedIn(values: RawRequest['values']): readonly ParameterFault[] {
  const repeated = parameterNames.filter((name) => name !== 'api_key' && (values[name]?.length ?? 0) > 1);
  return repeated.map((parameter) => {
    const short = shortNames[parameter];
    return {
      parameter,
      bounds: `must be given only once${short ? `; ${short} is another name of it` : ''}`,
      ...(secretParameters.includes(parameter)
        ? {}
        : { received: receivedText(values[parameter]?.join(', ') ?? '') }),
    };
  });
}

/** A fault with what was given in its place. */
function withReceived(fault: ParameterFault, stated: GivenParameters): ParameterFault {
  const value = stated[fault.parameter as ParameterName];
  if (value === undefined || fault.received !== undefined || secretParameters.includes(fault.parameter))
    return fault;
  return { ...fault, received: receivedText(value) };
}

/** Parameters that errors do not repeat, as they pay for images. */
const secretParameters: readonly string[] = ['api_key', 'signature', 'site'];
const sides: readonly string[] = ['width', 'height'];

/** Path and query of the request in the nearest valid size; `undefined` where more than the size is wrong. */
function nearestRequest(
  faults: readonly ParameterFault[],
  segment: string | undefined,
  values: RawRequest['values'],
  { width, height }: GivenParameters,
): string | undefined {
  const isOfSize = faults.every(
    ({ parameter, bounds: accepted }) => sides.includes(parameter) && accepted === bounds.width,
  );
  const isNumber = [width, height].every((text) => text === undefined || pixelsIn(text) !== undefined);
  if (!isOfSize || !isNumber) return undefined;
  const { widthPx, heightPx } = nearestSize(width, height);
  const sized: Partial<Record<ParameterName, string>> = {
    ...(values['width'] && { width: String(widthPx) }),
    ...(values['height'] && { height: String(heightPx) }),
  };
  const query = parameterNames
    .filter((name) => !(credentialParameters as readonly string[]).includes(name))
    .flatMap((name) => {
      const value = sized[name] ?? values[name]?.[0]?.toWellFormed();
      return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
    })
    .join('&');
  const path = segment === undefined ? '' : `/${segment.replace(/^\/*\d+x\d+/, `${widthPx}x${heightPx}`)}`;
  return `${routes.image}${path}${query === '' ? '' : `?${query}`}`;
}

/** @param isUnreadable whether the path could not be read: what it would have held cannot be judged then */
function outOfBounds(names: readonly ParameterName[], isUnreadable: boolean): readonly ParameterFault[] {
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
  return repeated.map((parameter) => ({
    parameter,
    bounds: 'is already given in the path',
    received: receivedText(given[parameter] ?? ''),
  }));
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
 * that an image tag keeps its place on the page.
 */
export function sizeOf({ segment, values }: RawRequest): Size {
  const path = segment === undefined ? undefined : readPathForm(segment);
  return path?.width === undefined
    ? nearestSize(values['width']?.[0], values['height']?.[0])
    : nearestSize(path.width, path.height);
}

/** The valid size that is nearest to a requested one, in its ratio as far as the bounds allow. */
function nearestSize(width: string | undefined, height: string | undefined): Size {
  const [wide, high] = [pixelsIn(width), pixelsIn(height)];
  if (wide === undefined || high === undefined) return sidesFrom(wide, high);
  const up = sidePx.min / Math.min(wide, high);
  const scale = up > 1 ? up : Math.min(1, sidePx.max / Math.max(wide, high));
  return { widthPx: nearestSidePx(wide * scale), heightPx: nearestSidePx(high * scale) };
}

/** A side as a number of pixels, in bounds or not; `undefined` for what is none. */
function pixelsIn(text = ''): number | undefined {
  const px = /^\d+$/.test(text) ? Math.min(Number(text), 1e9) : 0;
  return px > 0 ? px : undefined;
}

/** Both sides, brought into their bounds; one that is absent follows from the other by the default's ratio. */
function sidesFrom(width: number | undefined, height: number | undefined): Size {
  const ratio = sidePx.defaultWidth / sidePx.defaultHeight;
  if (width === undefined && height !== undefined) {
    const heightPx = nearestSidePx(height);
    return { widthPx: nearestSidePx(heightPx * ratio), heightPx };
  }
  const widthPx = nearestSidePx(width ?? sidePx.defaultWidth);
  return { widthPx, heightPx: nearestSidePx(height ?? widthPx / ratio) };
}

function refused(
  code: 'invalid_parameter' | 'conflicting_parameters',
  faults: readonly ParameterFault[],
  nearest?: string,
): Extract<ParsedRequest, { outcome: 'refused' }> {
  return { outcome: 'refused', refusal: { code, faults, ...(nearest !== undefined && { nearest }) } };
}

function filtersFrom({ avoid, color, license, lang, crop, onmiss }: ParameterValues): Filters {
  const avoided = avoid?.split(',');
  return {
    ...(avoided && { avoid: avoidables.filter((each) => avoided.includes(each)) }),
    ...(color !== undefined && { color }),
    ...(license !== 'any' && { license }),
    ...(lang !== undefined && { lang }),
    ...(crop !== 'attention' && { crop }),
    ...(onmiss && { onmiss }),
  };
}

function requestFrom(data: ParameterValues): ImageRequest {
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
