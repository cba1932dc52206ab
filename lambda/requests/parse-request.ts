/** Parses a request for an image, in path or query form, or names each of its faults. */

import { dropUndefined } from '../base/drop-undefined';
import {
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
import { hideCredentials, receivedText } from '../problems/received';
import type { Filters, ImageRequest } from './image-request';
import { shortNames } from './parameter-names';
import { decodePercent, readPathForm } from './path-form';
import type { LabelledSize, RenditionFormat, Size } from './rendition';
import { heightFor, nearestServedSize, pixelsIn } from './sizes';

/** The part of a request that decides its image. */
export interface RequestTexts {
  /** Every value of every query parameter, decoded, by its full name. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** `spec`: what follows `/api/image/`, percent-encoded as the caller sent it. */
  readonly pathParameters?: { readonly spec?: string | undefined };
}

/** Texts of parameters, percent-decoded once and not normalised. */
type ParameterTexts = { readonly [N in ParameterName]?: string | undefined };

/** A valid request, or the refusal that names each fault by its parameter. */
export type ParsedRequest =
  | {
      readonly request: ImageRequest;
      /** The format by the extension of the path; no part of the fingerprint. */
      readonly extension?: RenditionFormat;
    }
  | { readonly refusal: ParameterRefusal };

/** The parameters of a request, from path and query, before they are judged. */
export interface RequestParameters {
  readonly source: RequestTexts;
  readonly texts: ParameterTexts;
  readonly extension?: RenditionFormat | undefined;
  readonly pathFault?: ParameterFault;
  readonly repeated: readonly ParameterFault[];
  /** Stand both in the path and in the query. */
  readonly conflicting: readonly ParameterFault[];
}

/** Reads the parameters of a request from its path and query. */
export function readParameters(source: RequestTexts): RequestParameters {
  const { query, pathParameters: { spec } = {} } = source;
  const inQuery: ParameterTexts = Object.fromEntries(parameterNames.map((name) => [name, query[name]?.[0]]));
  // The authorizer judges API keys: the same key in two places counts as one.
  const repeatedNames = parameterNames.filter((name) => name !== 'api_key' && (query[name]?.length ?? 0) > 1);
  const repeated = repeatedNames.map((name) => {
    const shortNameNote = shortNames[name] ? `; ${shortNames[name]} is another name of it` : '';
    return createFault(name, `must be given only once${shortNameNote}`, query[name]?.join(', '));
  });
  if (spec === undefined) return { source, texts: inQuery, repeated, conflicting: [] };
  const { parameters: inPath, extension, fault } = readPathForm(spec);
  const namedInQueryToo = pathFormParameters.filter((name) => inQuery[name] !== undefined);
  const conflicting = namedInQueryToo.map((name) =>
    createFault(name, 'is already given in the path', inQuery[name]),
  );
  if (fault === undefined)
    return { source, texts: { ...inQuery, ...inPath }, extension, repeated, conflicting };
  const pathFault = createFault('path', fault, decodePercent(spec).text);
  return { source, texts: inQuery, pathFault, repeated, conflicting };
}

/** Refuses the first invalid value of each parameter, and all conflicts; `undefined` for no fault. */
export function refuseFaults(
  invalid: readonly ParameterFault[],
  conflicts: readonly ParameterFault[],
): ParameterRefusal | undefined {
  const names = invalid.map(({ parameter }) => parameter);
  const firstInvalid = invalid.filter(({ parameter }, i) => names.indexOf(parameter) === i);
  const faults = [...firstInvalid, ...conflicts];
  if (faults.length === 0) return undefined;
  return { code: invalid.length > 0 ? 'invalid_parameter' : 'conflicting_parameters', faults };
}

/**
 * Judges every parameter of a request.
 * @param isSigned whether its signature was verified: only then `upto` decides about the size
 */
export function parseRequest(given: RequestParameters, isSigned = false): ParsedRequest {
  const { source, texts, extension, pathFault, repeated, conflicting } = given;
  const { sides, sideFault } = sidesOf(texts, isSigned);
  const { values, namesOutOfBounds } = readValues({ ...texts, ...sides });
  // The parameters of an unreadable path cannot be judged.
  const inPath: readonly string[] = pathFault ? pathFormParameters : [];
  const invalidNames = namesOutOfBounds.filter((name) => !inPath.includes(name));
  const outOfBounds = invalidNames.map((name) => createFault(name, parameters[name].bounds, texts[name]));
  const invalid = [pathFault, ...repeated, sideFault, ...outOfBounds].filter((fault) => fault !== undefined);
  const refusal = refuseFaults(invalid, [...conflicting, ...contradictionsIn(texts)]);
  if (!refusal) return { request: requestFrom(values as ParameterValues), ...(extension && { extension }) };
  const nearest = isSigned ? undefined : nearestRequest(refusal.faults, source, texts);
  return { refusal: { ...refusal, ...(nearest !== undefined && { nearest }) } };
}

/** Reads the value of each parameter, and names those whose text is out of bounds, or is missing. */
function readValues(texts: ParameterTexts) {
  const hasPick = texts.pick !== undefined;
  // A pick needs no words: empty ones beside it are none.
  const given = hasPick ? { ...texts, query: texts.query || undefined } : texts;
  const values: Partial<Record<ParameterName, unknown>> = {};
  for (const name of parameterNames) {
    const text = given[name];
    values[name] = text === undefined ? parameters[name].absent : parameters[name].read(text);
  }
  const namesOutOfBounds = parameterNames.filter((name) =>
    given[name] === undefined ? name === 'query' && !hasPick : values[name] === undefined,
  );
  return { values, namesOutOfBounds };
}

function contradictionsIn({ variation, alt }: ParameterTexts): readonly ParameterFault[] {
  if (variation === undefined || alt === undefined) return [];
  return [
    createFault('variation', 'cannot be combined with alt', variation),
    createFault('alt', 'cannot be combined with variation', alt),
  ];
}

/** Reads a request for a permalink, which takes a size, a label and a format. */
export function parsePermalink({
  query,
}: RequestTexts):
  | { readonly size: Partial<LabelledSize>; readonly asJson: boolean }
  | { readonly refusal: ParameterRefusal } {
  const permalinkTexts = permalinkParameters.map((name) => [name, query[name]]);
  const givenParameters = readParameters({
    query: { query: ['permalink'], ...Object.fromEntries(permalinkTexts) },
  });
  const parsed = parseRequest(givenParameters);
  if ('refusal' in parsed) {
    const { nearest: _nearest, ...refusal } = parsed.refusal;
    return { refusal };
  }
  const { widthPx, heightPx, label, asJson } = parsed.request;
  const size = { widthPx: query['width'] && widthPx, heightPx: query['height'] && heightPx, label };
  return { size: dropUndefined(size), asJson };
}

/** Errors do not repeat the values of these parameters, since they pay for images. */
const secretParameters: readonly string[] = ['api_key', 'signature', 'site'];

/** Describes the fault of a parameter, whose bounds are given in words. @param value `undefined` for none */
export function createFault(parameter: string, accepted: string, value: string | undefined): ParameterFault {
  const isRepeated = value !== undefined && !secretParameters.includes(parameter);
  return { parameter, bounds: accepted, ...(isRepeated && { received: receivedText(value) }) };
}

/** Reads the sides that `upto` or the other side decides, and the faults of `upto` and the sides. */
function sidesOf(
  texts: ParameterTexts,
  isSigned: boolean,
): { readonly sides?: ParameterTexts; readonly sideFault?: ParameterFault } {
  const { upto, width, height } = texts;
  if (upto === undefined) {
    const { widthPx, heightPx } = nearestServedSize(texts);
    if (width === undefined) return height === undefined ? {} : { sides: { width: String(widthPx) } };
    return height === undefined ? { sides: { height: String(heightPx) } } : {};
  }
  // An `upto` out of bounds is refused with the other parameters.
  if (parameters.upto.read(upto) === undefined) return {};
  if (!isSigned) return { sideFault: createFault('upto', 'in a signed URL only', upto) };
  const sides = heightFor(upto, texts);
  if ('height' in sides) return { sides };
  return { sideFault: createFault(sides.parameter, sides.bounds, texts[sides.parameter]) };
}

/** Writes path and query in the nearest valid size, without credentials; `undefined` if more is wrong. */
function nearestRequest(
  faults: readonly ParameterFault[],
  { query, pathParameters: { spec } = {} }: RequestTexts,
  texts: ParameterTexts,
): string | undefined {
  if (!faults.every((fault) => isNumberOutOfBounds(fault, texts))) return undefined;
  const size = nearestServedSize(texts);
  const path =
    spec === undefined ? '' : `/${spec.replace(/^\/*\d+x\d+/, `${size.widthPx}x${size.heightPx}`)}`;
  const pairs = pairsInSize(query, size);
  const url = `${routes.image}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
  // A key may stand in another parameter by mistake, and a site key in `publish`.
  const { text: decoded } = decodePercent(url);
  return hideCredentials(decoded) === decoded ? url : undefined;
}

function isNumberOutOfBounds({ parameter, bounds }: ParameterFault, texts: ParameterTexts): boolean {
  return bounds === parameters.width.bounds && pixelsIn(texts[parameter as ParameterName]) !== undefined;
}

function pairsInSize(query: RequestTexts['query'], { widthPx, heightPx }: Size): readonly string[] {
  const sides: Partial<Record<ParameterName, number>> = { width: widthPx, height: heightPx };
  return parameterNames
    .filter((name) => query[name] && !credentialParameters.includes(name))
    .map((name) => {
      const value = String(sides[name] ?? query[name]?.[0]?.toWellFormed());
      return `${name}=${encodeURIComponent(value)}`;
    });
}

/** Reads the size that a request means, as far as it can, so that its card keeps the place on the page. */
export function readRequestedSize({ query, pathParameters: { spec } = {} }: RequestTexts): Size {
  const inPath = spec === undefined ? {} : readPathForm(spec).parameters;
  if (inPath.width !== undefined) return nearestServedSize(inPath);
  return nearestServedSize({ width: query['width']?.[0], height: query['height']?.[0] });
}

function requestFrom(values: ParameterValues): ImageRequest {
  const { query, width: widthPx, height: heightPx, provider: source, format, label, pick } = values;
  const basics = dropUndefined({ query, widthPx, heightPx, asJson: format === 'json', label, pick });
  if (source !== 'ai') return { ...basics, source, seed: values.seed, filters: filtersFrom(values) };
  const { style, visibility, variation, alt } = values;
  return dropUndefined({ ...basics, source, style, visibility, variation, alt });
}

/** Reads the filters that are not at their default; beside a pick the crop alone. */
function filtersFrom({ pick, avoid, color, license, lang, crop, onmiss }: ParameterValues): Filters {
  const otherCrop = crop === 'attention' ? undefined : crop;
  if (pick !== undefined) return dropUndefined({ crop: otherCrop });
  const avoided = avoid?.split(',');
  return dropUndefined({
    avoid: avoided && avoidables.filter((avoidable) => avoided.includes(avoidable)),
    color,
    license: license === 'any' ? undefined : license,
    lang,
    crop: otherCrop,
    onmiss,
  });
}
