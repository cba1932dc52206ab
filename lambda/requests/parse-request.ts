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
import { nearestServedSize, readHeightBelow, readPixels } from './sizes';

/** The texts of a request that decide its image. */
export interface RequestTexts {
  /** Every value of every query parameter, decoded, by its full name. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** `spec`: what follows `/api/image/`, percent-encoded as the caller sent it. */
  readonly pathParameters?: { readonly spec?: string | undefined };
}

/** A text of each parameter, percent-decoded once and not normalised. */
type TextByName = { readonly [N in ParameterName]?: string | undefined };

/** A valid request, or the refusal that names each fault by its parameter. */
export type ParsedRequest =
  | {
      readonly request: ImageRequest;
      /** The format by the extension of the path; no part of the fingerprint. */
      readonly extension?: RenditionFormat;
    }
  | { readonly refusal: ParameterRefusal };

/** The parameters of a request, from path and query, before their texts are judged. */
export interface RequestParameters {
  /** The request from which they were read. */
  readonly source: RequestTexts;
  readonly texts: TextByName;
  readonly extension?: RenditionFormat | undefined;
  readonly pathFault?: ParameterFault;
  readonly repeated: readonly ParameterFault[];
  /** Stand both in the path and in the query. */
  readonly conflicting: readonly ParameterFault[];
}

/** Reads the parameters of a request from its path and query. */
export function readParameters(source: RequestTexts): RequestParameters {
  const { query, pathParameters: { spec } = {} } = source;
  const inQuery: TextByName = Object.fromEntries(parameterNames.map((name) => [name, query[name]?.[0]]));
  const repeated = findRepetitions(query);
  if (spec === undefined) return { source, texts: inQuery, repeated, conflicting: [] };
  const namedTwice = pathFormParameters.filter((name) => inQuery[name] !== undefined);
  const conflicting = namedTwice.map((name) =>
    createFault(name, 'is already given in the path', inQuery[name]),
  );
  const { parameters: inPath, extension, fault } = readPathForm(spec);
  if (fault === undefined)
    return { source, texts: { ...inQuery, ...inPath }, extension, repeated, conflicting };
  const pathFault = createFault('path', fault, decodePercent(spec).text);
  return { source, texts: inQuery, pathFault, repeated, conflicting };
}

function findRepetitions(query: RequestTexts['query']): readonly ParameterFault[] {
  // The authorizer judges API keys: the same key in two places counts as one.
  const names = parameterNames.filter((name) => name !== 'api_key' && (query[name]?.length ?? 0) > 1);
  return names.map((name) => {
    const shortNameNote = shortNames[name] ? `; ${shortNames[name]} is another name of it` : '';
    return createFault(name, `must be given only once${shortNameNote}`, query[name]?.join(', '));
  });
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

/** Judges every parameter of a request. `upto` decides about its size where its signature was verified. */
export function parseRequest(
  { source, texts, extension, pathFault, repeated, conflicting }: RequestParameters,
  isSigned = false,
): ParsedRequest {
  const { sides, sideFault } = completeSides(texts, isSigned);
  const { values, namesOutOfBounds } = readValues({ ...texts, ...sides });
  // The parameters of an unreadable path cannot be judged.
  const inPath: readonly string[] = pathFault ? pathFormParameters : [];
  const invalidNames = namesOutOfBounds.filter((name) => !inPath.includes(name));
  const outOfBounds = invalidNames.map((name) => createFault(name, parameters[name].bounds, texts[name]));
  const invalid = [pathFault, ...repeated, sideFault, ...outOfBounds].filter((fault) => fault !== undefined);
  const refusal = refuseFaults(invalid, [...conflicting, ...findContradictions(texts)]);
  if (!refusal) return { request: makeRequest(values as ParameterValues), ...(extension && { extension }) };
  const nearest = isSigned ? undefined : writeNearestUrl(refusal.faults, source, texts);
  return { refusal: { ...refusal, ...(nearest !== undefined && { nearest }) } };
}

/** Reads the value of each parameter, and names those whose text is out of bounds, or is missing. */
function readValues(texts: TextByName) {
  const values: Partial<Record<ParameterName, unknown>> = {};
  const namesOutOfBounds: ParameterName[] = [];
  for (const name of parameterNames) {
    // A pick needs no words: empty ones beside it are none.
    const text = name === 'query' && texts.pick !== undefined ? texts.query || undefined : texts[name];
    const isMissing = name === 'query' && text === undefined && texts.pick === undefined;
    values[name] = text === undefined ? parameters[name].absent : parameters[name].read(text);
    if (isMissing || (text !== undefined && values[name] === undefined)) namesOutOfBounds.push(name);
  }
  return { values, namesOutOfBounds };
}

function findContradictions({ variation, alt }: TextByName): readonly ParameterFault[] {
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
  // The id stands in the place of words.
  const withWords = { query: ['permalink'], ...Object.fromEntries(permalinkTexts) };
  const parsed = parseRequest(readParameters({ query: withWords }));
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

/** Describes the fault of a parameter by its bounds in words, and by what was received, if anything was. */
export function createFault(parameter: string, bounds: string, received: string | undefined): ParameterFault {
  const isRepeated = received !== undefined && !secretParameters.includes(parameter);
  return { parameter, bounds, ...(isRepeated && { received: receivedText(received) }) };
}

/** Completes the sides of a request, by `upto` in a signed URL, or finds the one that is at fault. */
function completeSides(
  texts: TextByName,
  isSigned: boolean,
): { readonly sides?: TextByName; readonly sideFault?: ParameterFault } {
  const { upto, width, height } = texts;
  if (upto === undefined) {
    const { widthPx, heightPx } = nearestServedSize(texts);
    return { sides: { width: width ?? String(widthPx), height: height ?? String(heightPx) } };
  }
  // An `upto` out of bounds is refused with the other parameters.
  if (parameters.upto.read(upto) === undefined) return {};
  if (!isSigned) return { sideFault: createFault('upto', 'in a signed URL only', upto) };
  const sides = readHeightBelow(upto, texts);
  if ('height' in sides) return { sides };
  return { sideFault: createFault(sides.parameter, sides.bounds, texts[sides.parameter]) };
}

/** Writes path and query in the nearest valid size, without credentials; `undefined` if more is wrong. */
function writeNearestUrl(
  faults: readonly ParameterFault[],
  { query, pathParameters: { spec } = {} }: RequestTexts,
  texts: TextByName,
): string | undefined {
  if (!faults.every((fault) => isSideOutOfBounds(fault, texts))) return undefined;
  const { widthPx, heightPx } = nearestServedSize(texts);
  const path = spec === undefined ? '' : `/${spec.replace(/^\/*\d+x\d+/, `${widthPx}x${heightPx}`)}`;
  const writeText = (name: ParameterName) => {
    if (name === 'width') return String(widthPx);
    if (name === 'height') return String(heightPx);
    return query[name]?.[0]?.toWellFormed() ?? '';
  };
  const names = parameterNames.filter((name) => query[name] && !credentialParameters.includes(name));
  const pairs = names.map((name) => `${name}=${encodeURIComponent(writeText(name))}`);
  const url = `${routes.image}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
  // A key may stand in another parameter by mistake, and a site key in `publish`.
  const { text: decoded } = decodePercent(url);
  return hideCredentials(decoded) === decoded ? url : undefined;
}

function isSideOutOfBounds({ parameter, bounds }: ParameterFault, texts: TextByName): boolean {
  return bounds === parameters.width.bounds && readPixels(texts[parameter as ParameterName]) !== undefined;
}

/** Reads the size that a request means, as far as it can, so that its card keeps the place on the page. */
export function readRequestedSize({ query, pathParameters: { spec } = {} }: RequestTexts): Size {
  const inPath = spec === undefined ? {} : readPathForm(spec).parameters;
  if (inPath.width !== undefined) return nearestServedSize(inPath);
  const [width, height, upto] = ['width', 'height', 'upto'].map((name) => query[name]?.[0]);
  return nearestServedSize({ width, height, upto });
}

function makeRequest(values: ParameterValues): ImageRequest {
  const { query, width: widthPx, height: heightPx, provider: source, format, label, pick } = values;
  const basics = dropUndefined({ query, widthPx, heightPx, asJson: format === 'json', label, pick });
  if (source !== 'ai') return { ...basics, source, seed: values.seed, filters: readFilters(values) };
  const { style, visibility, variation, alt } = values;
  return dropUndefined({ ...basics, source, style, visibility, variation, alt });
}

/** Reads the filters that are not at their default; beside a pick the crop alone. */
function readFilters({ pick, avoid, color, license, lang, crop, onmiss }: ParameterValues): Filters {
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
