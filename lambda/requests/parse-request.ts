/** Parses a request for an image in path or query form. A refusal names each fault. */

import { dropUndefined } from '../base/drop-undefined';
import { hideCredentials } from '../base/text';
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
import { writeReceived } from '../problems/received';
import type { Filters, ImageRequest } from './image-request';
import { shortNames } from './parameter-names';
import { decodePercent, parsePathForm } from './path-form';
import type { LabelledSize, RenditionFormat, Size } from './rendition';
import { computeHeightBelow, findNearestServedSize, parsePixels } from './sizes';

/** The texts of a request that decide its image. */
export interface RequestTexts {
  /** Every value of every query parameter, decoded, by its full name. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** `spec`: what follows `/api/image/`, percent-encoded as the caller sent it. */
  readonly pathParameters?: { readonly spec?: string | undefined };
}

/** The text of each parameter, percent-decoded once and not normalised. */
type TextByName = { readonly [N in ParameterName]?: string | undefined };

/** A valid request, or a refusal. */
export type ParsedRequest =
  | {
      readonly request: ImageRequest;
      /** The format by the extension of the path. It does not change the fingerprint. */
      readonly extension?: RenditionFormat;
    }
  | { readonly refusal: ParameterRefusal };

/** The parameters of a request from its path and query, before their values are checked. */
export interface RequestParameters {
  /** The path and query that contain them. */
  readonly source: RequestTexts;
  readonly textByName: TextByName;
  readonly extension?: RenditionFormat | undefined;
  readonly pathFault?: ParameterFault | undefined;
  /** Parameters that are given twice in the query. */
  readonly repetitions: readonly ParameterFault[];
  /** Parameters that are given in the path and in the query. */
  readonly conflicts: readonly ParameterFault[];
}

/** Reads the parameters from path and query. `parseRequest` checks their values. */
export function readParameters(source: RequestTexts): RequestParameters {
  const { query, pathParameters: { spec } = {} } = source;
  const queryTexts: TextByName = Object.fromEntries(parameterNames.map((name) => [name, query[name]?.[0]]));
  const repetitions = findRepetitions(query);
  if (spec === undefined) return { source, textByName: queryTexts, repetitions, conflicts: [] };
  const namesGivenTwice = pathFormParameters.filter((name) => queryTexts[name] !== undefined);
  const conflicts = namesGivenTwice.map((name) =>
    makeFault(name, 'is already given in the path', queryTexts[name]),
  );
  const { parameters: pathTexts, extension, fault } = parsePathForm(spec);
  const textByName = fault === undefined ? { ...queryTexts, ...pathTexts } : queryTexts;
  const pathFault = fault === undefined ? undefined : makeFault('path', fault, decodePercent(spec).text);
  return { source, textByName, extension, pathFault, repetitions, conflicts };
}

function findRepetitions(query: RequestTexts['query']): readonly ParameterFault[] {
  // The authorizer checks API keys. The same key in two places is one key.
  const names = parameterNames.filter((name) => name !== 'api_key' && (query[name]?.length ?? 0) > 1);
  return names.map((name) => {
    const aliasText = shortNames[name] ? `; ${shortNames[name]} is another name of it` : '';
    return makeFault(name, `must be given only once${aliasText}`, query[name]?.join(', '));
  });
}

/** Finds the refusal of faults: the first invalid value of each parameter, and every conflict. */
export function findFaultRefusal(
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
 * Parses every parameter of a request, in three stages: its sides, its values, its faults. `isSigned` is true
 * after the signature was verified; only then may `upto` decide the size.
 */
export function parseRequest(request: RequestParameters, isSigned = false): ParsedRequest {
  const { source, textByName, extension, pathFault, repetitions, conflicts } = request;
  const { sides, fault: sideFault } = completeSides(textByName, isSigned);
  const { valueByName, namesOutOfBounds } = readParameterValues({ ...textByName, ...sides });
  // An unreadable path says nothing about its parameters.
  const unreadableNames: readonly string[] = pathFault ? pathFormParameters : [];
  const invalidNames = namesOutOfBounds.filter((name) => !unreadableNames.includes(name));
  const boundFaults = makeBoundFaults(invalidNames, textByName);
  const faults = [pathFault, ...repetitions, sideFault, ...boundFaults].filter(
    (fault) => fault !== undefined,
  );
  const refusal = findFaultRefusal(faults, [...conflicts, ...findContradictions(textByName)]);
  if (!refusal)
    return { request: makeRequest(valueByName as ParameterValues), ...(extension && { extension }) };
  const nearest = isSigned ? undefined : writeNearestUrl(refusal.faults, source, textByName);
  return { refusal: { ...refusal, ...(nearest !== undefined && { nearest }) } };
}

/** Reads the value of each parameter, and names the parameters that are out of bounds or missing. */
function readParameterValues(textByName: TextByName) {
  const valueByName: Partial<Record<ParameterName, unknown>> = {};
  const namesOutOfBounds: ParameterName[] = [];
  for (const name of parameterNames) {
    // A pick needs no words. An empty `query` beside it counts as absent.
    const text =
      name === 'query' && textByName.pick !== undefined ? textByName.query || undefined : textByName[name];
    const isMissing = name === 'query' && text === undefined && textByName.pick === undefined;
    valueByName[name] = text === undefined ? parameters[name].defaultValue : parameters[name].parse(text);
    if (isMissing || (text !== undefined && valueByName[name] === undefined)) namesOutOfBounds.push(name);
  }
  return { valueByName, namesOutOfBounds };
}

const makeBoundFaults = (names: readonly ParameterName[], textByName: TextByName) =>
  names.map((name) => makeFault(name, parameters[name].bounds, textByName[name]));

function findContradictions({ variation, alt }: TextByName): readonly ParameterFault[] {
  if (variation === undefined || alt === undefined) return [];
  return [
    makeFault('variation', 'cannot be combined with alt', variation),
    makeFault('alt', 'cannot be combined with variation', alt),
  ];
}

/** Parses the parameters of a permalink: a size, a label and a format. Others have no effect. */
export function parsePermalinkParameters({
  query,
}: RequestTexts):
  | { readonly size: Partial<LabelledSize>; readonly asJson: boolean }
  | { readonly refusal: ParameterRefusal } {
  const permalinkTexts = permalinkParameters.map((name) => [name, query[name]]);
  const { textByName, repetitions } = readParameters({ query: Object.fromEntries(permalinkTexts) });
  const { valueByName, namesOutOfBounds } = readParameterValues(textByName);
  const invalidNames = permalinkParameters.filter((name) => namesOutOfBounds.includes(name));
  const refusal = findFaultRefusal([...repetitions, ...makeBoundFaults(invalidNames, textByName)], []);
  if (refusal) return { refusal };
  const { width, height, label, format } = valueByName as ParameterValues;
  const size = { widthPx: query['width'] && width, heightPx: query['height'] && height, label };
  return { size: dropUndefined(size), asJson: format === 'json' };
}

/** Errors do not repeat the values of these parameters, because the values pay for images. */
const secretParameters: readonly string[] = ['api_key', 'signature', 'site'];

/** Makes the fault of a parameter: its bounds in words, and the value that was received. */
export function makeFault(parameter: string, bounds: string, received: string | undefined): ParameterFault {
  const isRepeated = received !== undefined && !secretParameters.includes(parameter);
  return { parameter, bounds, ...(isRepeated && { received: writeReceived(received) }) };
}

/** Completes the sides of a request. In a signed URL with `upto`, the height follows from the width. */
function completeSides(
  textByName: TextByName,
  isSigned: boolean,
): { readonly sides?: TextByName; readonly fault?: ParameterFault } {
  const { upto, width, height } = textByName;
  if (upto === undefined) {
    const { widthPx, heightPx } = findNearestServedSize(textByName);
    return { sides: { width: width ?? String(widthPx), height: height ?? String(heightPx) } };
  }
  // An `upto` out of bounds is refused with the other parameters.
  if (parameters.upto.parse(upto) === undefined) return {};
  if (!isSigned) return { fault: makeFault('upto', 'in a signed URL only', upto) };
  const result = computeHeightBelow(upto, textByName);
  if ('height' in result) return { sides: result };
  return { fault: makeFault(result.parameter, result.bounds, textByName[result.parameter]) };
}

/** The size at the beginning of a path. A client may have percent-encoded each digit and the `x`. */
const sizeInPath = /^\/*(?:\d|%3\d)+(?:x|%78)(?:\d|%3\d)+/;

/** Writes the URL of a request in the nearest valid size, without credentials. `undefined` if more is wrong. */
function writeNearestUrl(
  faults: readonly ParameterFault[],
  { query, pathParameters: { spec } = {} }: RequestTexts,
  textByName: TextByName,
): string | undefined {
  const isSide = ({ parameter, bounds }: ParameterFault) =>
    bounds === parameters.width.bounds && parsePixels(textByName[parameter as ParameterName]) !== undefined;
  if (!faults.every(isSide)) return undefined;
  const { widthPx, heightPx } = findNearestServedSize(textByName);
  const path = spec === undefined ? '' : `/${spec.replace(sizeInPath, `${widthPx}x${heightPx}`)}`;
  const sides: TextByName = { width: String(widthPx), height: String(heightPx) };
  const names = parameterNames.filter((name) => query[name] && !credentialParameters.includes(name));
  const pairs = names.map((name) => {
    return `${name}=${encodeURIComponent(sides[name] ?? query[name]?.[0]?.toWellFormed() ?? '')}`;
  });
  const url = `${routes.image}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
  // A key may stand in another parameter by mistake, and `publish` may hold a site key.
  const { text: decoded } = decodePercent(url);
  return hideCredentials(decoded) === decoded ? url : undefined;
}

/** Reads the size that a request probably means, so that its error card takes the place of the image on the page. */
export function readRequestedSize({ query, pathParameters: { spec } = {} }: RequestTexts): Size {
  const pathTexts = spec === undefined ? {} : parsePathForm(spec).parameters;
  if (pathTexts.width !== undefined) return findNearestServedSize(pathTexts);
  const [width, height, upto] = ['width', 'height', 'upto'].map((name) => query[name]?.[0]);
  return findNearestServedSize({ width, height, upto });
}

function makeRequest(values: ParameterValues): ImageRequest {
  const { query, width: widthPx, height: heightPx, provider: source, format, label, pick } = values;
  const basics = dropUndefined({ query, widthPx, heightPx, asJson: format === 'json', label, pick });
  if (source !== 'ai') return { ...basics, source, seed: values.seed, filters: makeFilters(values) };
  const { style, visibility, variation, alt } = values;
  return dropUndefined({ ...basics, source, style, visibility, variation, alt });
}

/** Makes the filters that differ from their defaults. With a pick, only the crop has an effect. */
function makeFilters({ pick, avoid, color, license, lang, crop, onmiss }: ParameterValues): Filters {
  const otherCrop = crop === 'attention' ? undefined : crop;
  if (pick !== undefined) return dropUndefined({ crop: otherCrop });
  const avoidNames = avoid?.split(',');
  return dropUndefined({
    avoid: avoidNames && avoidables.filter((avoidable) => avoidNames.includes(avoidable)),
    color,
    license: license === 'any' ? undefined : license,
    lang,
    crop: otherCrop,
    onmiss,
  });
}
