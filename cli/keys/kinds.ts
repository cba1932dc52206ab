/** The three kinds of credentials, API keys, signers and site keys: what their commands say, and how each is made and shown. */

import type { KeyRecord } from '../../lambda/credentials/api-keys';
import { type IssuedKey, rotateKey } from '../../lambda/credentials/manage-keys';
import { signerIdOf, signerSecretOf } from '../../lambda/credentials/signer';
import { failed } from '../failure';
import { type Facts, facts } from '../output';
import { aboutOf, limitsOf } from './key-views';
import type { Session } from './session';

interface RotateTexts {
  readonly summary: string;
  readonly details: string;
  readonly examples: readonly string[];
  /** What works during the overlap, as the subject of "… work". */
  readonly overlapping: string;
  /** As an operator writes it. */
  readonly overlap: string;
  /** What an operator confirms who wants no overlap, as a sentence. */
  readonly consequence: string;
}

/** What the commands of one kind of credentials say and do. */
export interface CredentialKind {
  /** The value of `publishedAs` in its records; API keys have none. */
  readonly kind: 'key' | 'signer' | 'site';
  readonly noun: string;
  /** The commands for it, such as `keys signer`. */
  readonly commands: string;
  readonly argument: string;
  /** Name of its id in JSON and, for people, in facts. */
  readonly id: { readonly json: string; readonly title: string };
  /** Name of what is shown once, in JSON and for people. */
  readonly secret: { readonly json: string; readonly title: string };
  /** What is said of it when it is shown. */
  readonly note: string;
  readonly list: { readonly summary: string; readonly examples: readonly string[] };
  readonly rotate: RotateTexts;
  readonly revoke: {
    readonly summary: string;
    readonly examples: readonly string[];
    /** What an operator confirms, as the end of a sentence after its name. */
    readonly consequence: string;
  };
  /** Makes a successor. @throws `Failure`, and what the SDK throws */
  readonly makeSuccessor: (session: Session, old: KeyRecord, overlapMs: number) => Promise<IssuedKey>;
}

const kindOf = (kind: CredentialKind['kind'], noun: string, commands: string) => ({
  kind,
  noun,
  commands,
  argument: `<${noun.replace(' ', '_').toUpperCase()}_ID>`,
  list: {
    summary: `List all ${kind === 'key' ? 'API keys' : `${noun}s`}, by account and age.`,
    examples: [`${commands} list`, `${commands} list --account acc_0123456789abcdef01 --json`],
  },
});

/** API keys: secret, for servers. */
export const apiKey: CredentialKind = {
  ...kindOf('key', 'key', 'keys'),
  id: { json: 'keyId', title: 'Key id' },
  secret: { json: 'key', title: 'Key' },
  note: 'Keep the key now: it is stored as a hash only and cannot be shown again. It stays secret: on a public page, use a signer or a site key ("keys signer create", "keys site create").',
  rotate: {
    summary: 'Create a successor of a key; the old key works until the overlap ends.',
    details: 'With an overlap of 0 it stops working everywhere within a minute.',
    examples: [
      'keys rotate key_0123456789abcdef01',
      'keys rotate key_0123456789abcdef01 --overlap 7d --json',
    ],
    overlapping: 'both keys',
    overlap: '24h',
    consequence: 'It stops working everywhere within a minute.',
  },
  revoke: {
    summary: 'Revoke a key permanently. It stops working everywhere within a minute.',
    examples: ['keys revoke key_0123456789abcdef01', 'keys revoke key_0123456789abcdef01 --yes --json'],
    consequence: ' stops working for good, everywhere within a minute.',
  },
  makeSuccessor: rotateStored,
};

/** Site keys: public, bound to the origins of pages and to a monthly cap. */
export const siteKey: CredentialKind = {
  ...kindOf('site', 'site key', 'keys site'),
  id: { json: 'siteKeyId', title: 'Site key id' },
  secret: { json: 'siteKey', title: 'Site key' },
  note: 'A site key may be published. Programs can send any origin, so what bounds its cost is the monthly cap.',
  rotate: {
    summary: 'Create a successor of a site key; the old one works until the overlap ends.',
    details:
      'It has the same origins and the same cap, which counts from zero: until the month ends, both together can spend twice the cap. With an overlap of 0 the old one stops working everywhere within a minute.',
    examples: ['keys site rotate site_0123456789abcdef01 --overlap 7d'],
    overlapping: 'both site keys',
    overlap: '30d',
    consequence: 'It stops working everywhere within a minute.',
  },
  revoke: {
    summary: 'Revoke a site key permanently. It stops working everywhere within a minute.',
    examples: ['keys site revoke site_0123456789abcdef01 --yes'],
    consequence: ': It stops working for good, everywhere within a minute.',
  },
  makeSuccessor: rotateStored,
};

/** Signers: their secret signs URLs, which are public. */
export const signer: CredentialKind = {
  ...kindOf('signer', 'signer', 'keys signer'),
  id: { json: 'signerId', title: 'Signer id' },
  secret: { json: 'secret', title: 'Secret' },
  note: 'Keep the secret now: it is stored nowhere and is not shown again. It belongs on a server or in a build step, never in a page.',
  rotate: {
    summary: 'Create a successor of a signer; URLs of the old one work until the overlap ends.',
    details: 'With an overlap of 0 the service refuses them within a minute.',
    examples: ['keys signer rotate sg_live_0123456789ab --overlap 30d'],
    overlapping: 'URLs of both',
    overlap: '30d',
    consequence: 'The service refuses all URLs that it has signed within a minute.',
  },
  revoke: {
    summary: 'Revoke a signer permanently. The service refuses all URLs that it has signed within a minute.',
    examples: ['keys signer revoke sg_live_0123456789ab --yes'],
    consequence:
      ': All URLs that it has signed stop working for good: within a minute, and up to two days later in shared caches.',
  },
  async makeSuccessor(session, old, overlapMs) {
    const withSecret = await readSecrets(session);
    return withSecret((await rotateKey(session.services, old, overlapMs)).record);
  },
};

async function rotateStored({ services }: Session, old: KeyRecord, overlapMs: number): Promise<IssuedKey> {
  const { key = '', ...successor } = await rotateKey(services, old, overlapMs);
  return { key, ...successor };
}

/**
 * Reads the secret that the signers' own are derived from: before one is made, so that none is made whose secret was
 * never shown. The returned function adds a signer's secret to its record.
 * @throws `Failure` where the service has none, and what the SDK throws
 */
export async function readSecrets({ service }: Session): Promise<(record: KeyRecord) => IssuedKey> {
  const { signerSecretId, readSecret } = service;
  if (signerSecretId === undefined)
    throw failed('The deployed version does not support signers yet. Deploy a newer one first.');
  const master = await readSecret(signerSecretId);
  if (!master) throw failed('The secret of the signers is empty.');
  return (record) => ({ record, key: signerSecretOf(master, signerIdOf(record.keyId)) });
}

/**
 * Shows one that was just made: the one time its secret can be read.
 * @param more facts that only this command knows, as JSON and as lines
 */
export function showIssued(
  { output }: Session,
  { id, secret, note, kind }: CredentialKind,
  { record, key }: IssuedKey,
  more: { readonly json?: object; readonly lines?: Facts } = {},
): void {
  const { hash: _hash, publishedAs: _kind, keyId, ...rest } = record;
  const names: Facts = [
    [secret.title, key],
    [id.title, keyId],
  ];
  output.result({ [secret.json]: key, [id.json]: keyId, ...rest, ...more.json }, () =>
    facts([
      ...(kind === 'signer' ? [...names].reverse() : names),
      ...aboutOf(record),
      ...limitsOf(record),
      ...(more.lines ?? []),
    ]),
  );
  output.note(note);
}
