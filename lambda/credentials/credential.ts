/** Reads the credential of a request: an API key, the signer of its URL, or a site key; never two. */

import { validKeyHash } from './api-key';
import type { CredentialRefusal } from './caller';
import type { KeyRef } from './key-store';
import { readSignerId } from './signer';
import { type RequestingPage, readRequestingPage } from './site-key';

/** A credential, before its record is read. */
export interface Credential {
  /** Absent for a malformed credential, and for more than one. */
  readonly ref?: KeyRef | undefined;
  /** The code of the refusal where no usable record is found. */
  readonly refusal: CredentialRefusal;
  readonly page?: RequestingPage;
}

/** The part of a request that may hold credentials, with every value of each query parameter, decoded. */
export interface CredentialPlaces {
  /** All values of a header, by its name in lower case. */
  readonly header: (name: string) => readonly string[];
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
}

/** An `Authorization` header that is no bearer token. */
const unreadable: Credential = { refusal: 'invalid_api_key' };
const conflicting: Credential = { refusal: 'conflicting_parameters' };

/**
 * Reads the credential of a request for an image, which alone may have a signer or a site key. An empty
 * site key is none; an empty `signer` or `signature` counts, so that no damaged URL passes as unsigned.
 */
export function readImageCredential(places: CredentialPlaces): Credential | undefined {
  const { header, query } = places;
  const key = readKeyCredential(places);
  const isSigned = isSignedQuery(query);
  const siteKeys = (query['site'] ?? []).filter((value) => value !== '');
  if (key === unreadable || (!isSigned && siteKeys.length === 0)) return key;
  if (key || (isSigned && siteKeys.length > 0)) return conflicting;
  const single = (values: readonly string[] = []) => (values.length === 1 ? (values[0] as string) : '');
  if (isSigned) return { ref: readSignerId(single(query['signer'])), refusal: 'invalid_signature' };
  // No browser sends a header twice; the joined text matches no origin.
  const page = readRequestingPage((name) =>
    header(name).length === 0 ? undefined : header(name).join(', '),
  );
  return { ref: validKeyHash('site', single(siteKeys)), refusal: 'invalid_site_key', page };
}

/** Whether a query is that of a signed URL, whole or damaged. */
export function isSignedQuery(query: CredentialPlaces['query']): boolean {
  return query['signer'] !== undefined || query['signature'] !== undefined;
}

/**
 * Reads the API key of a request in `X-API-Key`, `Authorization` or the query; an empty value is none. An
 * unreadable one is refused: its sender would not notice being served as anonymous.
 */
export function readKeyCredential({ header, query }: CredentialPlaces): Credential | undefined {
  const authorizations = header('authorization').filter((value) => !/^\s*(bearer\s*)?$/i.test(value));
  const tokens = authorizations.map((value) => /^\s*bearer +(\S+)\s*$/i.exec(value)?.[1]);
  if (tokens.includes(undefined)) return unreadable;
  const keys = [...header('x-api-key'), ...tokens, ...(query['api_key'] ?? [])];
  const [key, ...otherKeys] = new Set(keys.map((value = '') => value.trim()).filter((value) => value !== ''));
  if (key === undefined) return undefined;
  return otherKeys.length > 0 ? conflicting : { ref: validKeyHash('pk', key), refusal: 'invalid_api_key' };
}
