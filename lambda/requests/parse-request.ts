/** Reads a request in either form, or names everything that is wrong with it. */

import {
  bounds,
  credentialParameters,
  type ParameterName,
  type ParameterValues,
  parameterNames,
  parameters,
  pathFormParameters,
  permalinkParameters,
} from '../contract/parameters';
import { avoidables } from '../contract/request-bounds';
import { routes } from '../contract/routes';
import type { ParameterFault, ParameterRefusal } from '../problems/problem';
import { receivedText, withoutCredentials } from '../problems/received';
import type { Filters, ImageRequest } from './image-request';
import { shortNames } from './parameter-names';
import { decodePercent, readPathForm } from './path-form';
import type { LabelledSize, RenditionFormat, Size } from './rendition';
import { heightFor, nearestSize, pixelsIn } from './sizes';

/** The part of a request that decides its image. */
export interface GivenRequest {
  /** Every value of every query parameter, decoded, by its full name. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** `spec`: what follows `/api/image/`, percent-encoded as the caller sent it. */
  readonly pathParameters?: { readonly spec?: string | undefined };
}

/** Parameters as they were given, percent-decoded once and not normalised. */
type GivenParameters = { readonly [N in ParameterName]?: string | undefined };

/** A valid request, or the refusal that names each fault by its parameter. */
export type ParsedRequest =
  | {
      readonly request: ImageRequest;
      /** The format by the extension of the path; no part of the fingerprint. */
      readonly extension?: RenditionFormat;
    }
  | { readonly refusal: ParameterRefusal };

/** The parameters of a request, from path and query, before they are judged. */
export interface Statement {
  readonly stated: GivenParameters;
  readonly extension?: RenditionFormat | undefined;
  /** Present for a path that could not be read. */
  readonly pathFault?: ParameterFault;
  /** Parameters with several values. */
  readonly repeated: readonly ParameterFault[];
  /** Parameters that stand both in the path and in the query. */
  readonly conflicting: readonly ParameterFault[];
}

/** Reads the parameters of a request, wherever they stand. */
export function statementOf({ query, pathParameters: { spec } = {} }: GivenRequest): Statement {
  const given: GivenParameters = Object.fromEntries(parameterNames.map((name) => [name, query[name]?.[0]]));
  // The authorizer judges API keys: the same key in two places counts as one.
  const twice = parameterNames.filter((name) => name !== 'api_key' && (query[name]?.length ?? 0) > 1);
  const repeated = twice.map((name) => {
    const another = shortNames[name] ? `; ${shortNames[name]} is another name of it` : '';
    return faultOf(name, `must be given only once${another}`, query[name]?.join(', '));
  });
  if (spec === undefined) return { stated: given, repeated, conflicting: [] };
  const { parameters: inPath, extension, fault } = readPathForm(spec);
  const beside = pathFormParameters.filter((name) => given[name] !== undefined);
  const conflicting = beside.map((name) => faultOf(name, 'is already given in the path', given[name]));
  if (fault === undefined) return { stated: { ...given, ...inPath }, extension, repeated, conflicting };
  const pathFault = faultOf('path', fault, decodePercent(spec).text);
  return { stated: given, pathFault, repeated, conflicting };
}

/** The refusal of a parameter that is given twice: of a signed URL, before its signature is judged. */
export function repetitionIn({ repeated, conflicting }: Statement): ParameterRefusal | undefined {
  const faults = oncePerParameter([...repeated, ...conflicting]);
  if (faults.length === 0) return undefined;
  return { code: repeated.length > 0 ? 'invalid_parameter' : 'conflicting_parameters', faults };
}

/**
 * Reads a request and judges every parameter.
 * @param isSigned whether its signature was verified: only then `upto` decides about the size
 * @param statement of the same request, where that was read before
 */
export function parseRequest(
  given: GivenRequest,
  isSigned = false,
  statement = statementOf(given),
): ParsedRequest {
  const { stated, extension, pathFault, repeated, conflicting } = statement;
  const fault = (name: ParameterName, accepted: string) => faultOf(name, accepted, stated[name]);
  const size = sizeFrom(stated, isSigned);
  const isPickAlone = stated.pick !== undefined && !stated.query;
  const judged: GivenParameters = {
    ...stated,
    ...(isPickAlone && { query: undefined }),
    ...('parameter' in size ? {} : size),
  };
  const values: Partial<Record<ParameterName, unknown>> = {};
  for (const name of parameterNames) {
    const text = judged[name];
    values[name] = text === undefined ? parameters[name].absent : parameters[name].read(text);
  }
  const outside = parameterNames.filter((name) => {
    if (judged[name] !== undefined) return values[name] === undefined;
    return name === 'query' && !isPickAlone;
  });
  // The parameters of an unreadable path cannot be judged.
  const inPath: readonly string[] = pathFault ? pathFormParameters : [];
  const invalid = oncePerParameter([
    ...(pathFault ? [pathFault] : []),
    ...repeated,
    ...('parameter' in size ? [fault(size.parameter, size.bounds)] : []),
    ...outside.filter((name) => !inPath.includes(name)).map((name) => fault(name, bounds[name])),
  ]);
  const { variation, alt } = stated;
  const contradicting =
    variation !== undefined && alt !== undefined
      ? [fault('variation', 'cannot be combined with alt'), fault('alt', 'cannot be combined with variation')]
      : [];
  const faults = [...invalid, ...conflicting, ...contradicting];
  if (invalid.length > 0) {
    const nearest = isSigned ? undefined : nearestRequest(faults, given, stated);
    const code = 'invalid_parameter';
    return { refusal: { code, faults, ...(nearest !== undefined && { nearest }) } };
  }
  if (faults.length > 0) return { refusal: { code: 'conflicting_parameters', faults } };
  return { request: requestFrom(values as ParameterValues), ...(extension && { extension }) };
}

/** Reads a request for a permalink, which takes a size, a label and a format. */
export function parsePermalink({
  query,
}: GivenRequest):
  | { readonly size: Partial<LabelledSize>; readonly asJson: boolean }
  | { readonly refusal: ParameterRefusal } {
  const given = permalinkParameters.map((name) => [name, query[name]]);
  const parsed = parseRequest({ query: { query: ['permalink'], ...Object.fromEntries(given) } });
  if ('refusal' in parsed) {
    const { nearest: _, ...refusal } = parsed.refusal;
    return { refusal };
  }
  const { widthPx, heightPx, label, asJson } = parsed.request;
  const size = {
    ...(query['width'] && { widthPx }),
    ...(query['height'] && { heightPx }),
    ...(label && { label }),
  };
  return { size, asJson };
}

/** Parameters whose values errors do not repeat, since they pay for images. */
const secretParameters: readonly string[] = ['api_key', 'signature', 'site'];

/** A faulty parameter. @param value what was given; `undefined` where it is missing */
export function faultOf(parameter: string, accepted: string, value: string | undefined): ParameterFault {
  const isShown = value !== undefined && !secretParameters.includes(parameter);
  return { parameter, bounds: accepted, ...(isShown && { received: receivedText(value) }) };
}

/** The first fault of each parameter. */
export function oncePerParameter(faults: readonly ParameterFault[]): readonly ParameterFault[] {
  return faults.filter(({ parameter }, i) => faults.findIndex((it) => it.parameter === parameter) === i);
}

/** The sides that `upto` or the other side decides, or the fault of one. */
function sizeFrom(
  stated: GivenParameters,
  isSigned: boolean,
): GivenParameters | ReturnType<typeof heightFor> {
  const { upto, width, height } = stated;
  if (upto === undefined) {
    const { widthPx, heightPx } = nearestSize(stated);
    if (width === undefined) return height === undefined ? {} : { width: String(widthPx) };
    return height === undefined ? { height: String(heightPx) } : {};
  }
  // An `upto` out of bounds is refused with the other parameters.
  if (parameters.upto.read(upto) === undefined) return {};
  return isSigned ? heightFor(upto, stated) : { parameter: 'upto', bounds: 'in a signed URL only' };
}

/**
 * Path and query of the request in the nearest valid size, without its credentials; `undefined` where more
 * than the size is wrong.
 */
function nearestRequest(
  faults: readonly ParameterFault[],
  { query, pathParameters: { spec } = {} }: GivenRequest,
  stated: GivenParameters,
): string | undefined {
  const isOfSize = faults.every(
    ({ parameter, bounds: accepted }) =>
      accepted === bounds.width && pixelsIn(stated[parameter as ParameterName]) !== undefined,
  );
  if (!isOfSize) return undefined;
  const { widthPx, heightPx } = nearestSize(stated);
  const sides = { width: widthPx, height: heightPx };
  const kept = parameterNames.filter((name) => query[name] && !credentialParameters.includes(name));
  const texts = kept.map((name) => {
    const value = String(sides[name as 'width'] ?? query[name]?.[0]?.toWellFormed());
    return `${name}=${encodeURIComponent(value)}`;
  });
  const path = spec === undefined ? '' : `/${spec.replace(/^\/*\d+x\d+/, `${widthPx}x${heightPx}`)}`;
  const url = `${routes.image}${path}${texts.length === 0 ? '' : `?${texts.join('&')}`}`;
  // A key may stand in another parameter by mistake, and a site key in `publish`.
  const { text } = decodePercent(url);
  return withoutCredentials(text) === text ? url : undefined;
}

/**
 * The size of the card for a request that may be faulty: that of its image, as far as it can be read, so that
 * an image tag keeps its place on the page.
 */
export function sizeOf({ query, pathParameters: { spec } = {} }: GivenRequest): Size {
  const inPath = spec === undefined ? {} : readPathForm(spec).parameters;
  if (inPath.width !== undefined) return nearestSize(inPath);
  return nearestSize({ width: query['width']?.[0], height: query['height']?.[0] });
}

function requestFrom(values: ParameterValues): ImageRequest {
  const { query, width: widthPx, height: heightPx, provider, label, pick } = values;
  const basics = {
    ...{ query, widthPx, heightPx, asJson: values.format === 'json' },
    ...(label && { label }),
    ...(pick !== undefined && { pick }),
  };
  if (provider !== 'ai') return { ...basics, provider, seed: values.seed, filters: filtersFrom(values) };
  const { style, visibility, variation, alt } = values;
  return { ...basics, provider, style, visibility, ...(variation && { variation }), ...(alt && { alt }) };
}

/** The filters that are not at their default; beside a pick the crop alone. */
function filtersFrom({ pick, avoid, color, license, lang, crop, onmiss }: ParameterValues): Filters {
  const ofCrop = crop === 'attention' ? {} : { crop };
  if (pick !== undefined) return ofCrop;
  const avoided = avoid?.split(',');
  return {
    ...(avoided && { avoid: avoidables.filter((each) => avoided.includes(each)) }),
    ...(color !== undefined && { color }),
    ...(license !== 'any' && { license }),
    ...(lang !== undefined && { lang }),
    ...ofCrop,
    ...(onmiss && { onmiss }),
  };
}
