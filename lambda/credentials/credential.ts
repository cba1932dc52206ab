/** Reads the credential of a request: an API key, the signer of its URL, or a site key. Two are refused. */

import { hashValidKey } from './api-key';
import type { CredentialRefusal } from './caller';
import { parseSignerId } from './signer';
import { getRequestingPage, type RequestingPage } from './site-key';

/** A credential as a request has it, before its key is read from the table. */
export interface Credential {
  /** The hash of a key, or the id of a signer. A malformed credential has none, and neither have two. */
  readonly reference?: string | undefined;
  /** The refusal if no usable key is found. */
  readonly refusal: CredentialRefusal;
  readonly page?: RequestingPage;
}

/** The headers and the query of a request, which may hold credentials. */
export interface HeadersAndQuery {
  /** Returns all values of a header. Takes its name in lower case. */
  readonly getHeaderValues: (name: string) => readonly string[];
  /** Every value of each query parameter, decoded. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
}

/** The result for an `Authorization` header that is no bearer token. */
const unreadableCredential: Credential = { refusal: 'invalid_api_key' };
const conflictingCredentials: Credential = { refusal: 'conflicting_parameters' };

/**
 * Reads the credential of a request for an image. No other request may have a signer or a site key. An empty
 * site key is ignored. An empty `signer` or `signature` counts, so that no damaged URL passes as unsigned.
 */
export function readImageCredential(headersAndQuery: HeadersAndQuery): Credential | undefined {
  const { getHeaderValues, query } = headersAndQuery;
  const key = readKeyCredential(headersAndQuery);
  const isSigned = isSignedQuery(query);
  const siteKeys = (query['site'] ?? []).filter((value) => value !== '');
  if (key === unreadableCredential || (!isSigned && siteKeys.length === 0)) return key;
  if (key || (isSigned && siteKeys.length > 0)) return conflictingCredentials;
  const readSingle = (values: readonly string[] = []) => (values.length === 1 ? (values[0] as string) : '');
  if (isSigned)
    return { reference: parseSignerId(readSingle(query['signer'])), refusal: 'invalid_signature' };
  // No browser sends a header twice. The joined text of two values matches no origin.
  const getHeader = (name: string) =>
    getHeaderValues(name).length === 0 ? undefined : getHeaderValues(name).join(', ');
  const page = getRequestingPage(getHeader);
  return { reference: hashValidKey('site', readSingle(siteKeys)), refusal: 'invalid_site_key', page };
}

/** Recognises the query of a signed URL, even if a part is missing. */
export function isSignedQuery(query: HeadersAndQuery['query']): boolean {
  return query['signer'] !== undefined || query['signature'] !== undefined;
}

/**
 * Reads the API key in `X-API-Key`, `Authorization` or the query. Empty values are ignored. An unreadable key
 * is refused, because its sender would not notice being served as anonymous.
 */
export function readKeyCredential({ getHeaderValues, query }: HeadersAndQuery): Credential | undefined {
  const authorizations = getHeaderValues('authorization').filter(
    (value) => !/^\s*(bearer\s*)?$/i.test(value),
  );
  const tokens = authorizations.map((value) => /^\s*bearer +(\S+)\s*$/i.exec(value)?.[1]);
  if (tokens.includes(undefined)) return unreadableCredential;
  const keys = [...getHeaderValues('x-api-key'), ...tokens, ...(query['api_key'] ?? [])];
  const [key, ...otherKeys] = new Set(keys.map((value = '') => value.trim()).filter((value) => value !== ''));
  if (key === undefined) return undefined;
  if (otherKeys.length > 0) return conflictingCredentials;
  return { reference: hashValidKey('pk', key), refusal: 'invalid_api_key' };
}
