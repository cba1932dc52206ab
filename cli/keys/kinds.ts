/** API keys, signers and site keys: what their commands say of each. */

/** How the commands of one kind of credentials name it. */
export interface CredentialKind {
  /** The value of `publishedAs` in its records; API keys have none. */
  readonly kind: 'key' | 'signer' | 'site';
  readonly noun: string;
  /** The commands for it, such as `keys signer`. */
  readonly commands: string;
  /** An id, for examples. */
  readonly example: string;
  /** Name of its id in JSON and, for people, in facts. */
  readonly id: { readonly json: string; readonly title: string };
  /** Name of what is shown once, in JSON and for people. */
  readonly secret: { readonly json: string; readonly title: string };
  /** What is said of it when it is shown. */
  readonly note: string;
  /** How long a successor's predecessor works, as an operator writes it. */
  readonly overlap: string;
  /** What its end means, as a sentence. */
  readonly end: string;
  /** What an operator must know of a successor, as sentences. */
  readonly successor?: string;
}

/** Secret, for servers. */
export const apiKey: CredentialKind = {
  kind: 'key',
  noun: 'key',
  commands: 'keys',
  example: 'key_0123456789abcdef01',
  id: { json: 'keyId', title: 'Key id' },
  secret: { json: 'key', title: 'Key' },
  note: 'Keep the key now: it is stored as a hash only and cannot be shown again. It stays secret: on a public page, use a signer or a site key ("keys signer create", "keys site create").',
  overlap: '24h',
  end: 'It stops working everywhere within a minute.',
};

/** Their secret signs URLs, which are public. */
export const signer: CredentialKind = {
  kind: 'signer',
  noun: 'signer',
  commands: 'keys signer',
  example: 'sg_live_0123456789ab',
  id: { json: 'signerId', title: 'Signer id' },
  secret: { json: 'secret', title: 'Secret' },
  note: 'Keep the secret now: it is stored nowhere and is not shown again. It belongs on a server or in a build step, never in a page.',
  overlap: '30d',
  end: 'The service refuses all URLs that it has signed within a minute; shared caches may show them for two days.',
};

/** Public, bound to the origins of pages and to a monthly cap. */
export const siteKey: CredentialKind = {
  kind: 'site',
  noun: 'site key',
  commands: 'keys site',
  example: 'site_0123456789abcdef01',
  id: { json: 'siteKeyId', title: 'Site key id' },
  secret: { json: 'siteKey', title: 'Site key' },
  note: 'A site key may be published. Programs can send any origin, so what bounds its cost is the monthly cap.',
  overlap: '30d',
  end: 'It stops working everywhere within a minute.',
  successor: 'Its cap counts from zero: until the month ends, both together can spend twice the cap.',
};
