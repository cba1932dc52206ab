/** The custom resource behind keys: makes each key pair once, with a certificate where one is needed, and answers with what is public. */

import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Work } from './answer-cloudformation';
import { certificateIn, newCredentials } from './certificates';

/** What CloudFormation is told of the keys: the ids of secrets, by version. */
export type KeyProperties = {
  readonly UrlKeys: Readonly<Record<string, string>>;
  readonly ContentKeys: Readonly<Record<string, string>>;
  /** Role by which API Gateway writes logs, for an account that has none. */
  readonly LogRole: string;
  /** A secret whose SHA-256 is wanted. */
  readonly HashedSecret?: string;
};

/** Secrets Manager, and the account's settings of API Gateway; each call throws what AWS answers. */
export interface Account {
  readSecret(id: string): Promise<string>;
  writeSecret(id: string, value: string): Promise<void>;
  /** ARN of the role by which API Gateway writes logs. */
  gatewayLogRole(): Promise<string | undefined>;
  setGatewayLogRole(arn: string): Promise<void>;
}

/**
 * Asked twice, it answers the same, so that an update or a repeated call never makes URLs invalid that were given out.
 * Deleting does nothing: secrets go, or stay, with the stack's own policy, and the role stays.
 */
export function makeKeys(account: Account): Work {
  return async ({ RequestType, ResourceProperties }) => {
    if (RequestType === 'Delete') return {};
    const { UrlKeys, ContentKeys, LogRole, HashedSecret } = ResourceProperties as unknown as KeyProperties;
    if (!(await account.gatewayLogRole())) await account.setGatewayLogRole(LogRole);
    const attributes: Record<string, string> = {};
    for (const [version, id] of Object.entries(UrlKeys))
      attributes[`PublicKey${version}`] = publicHalf(await keyIn(account, id, async () => newKey()));
    const certificates: string[] = [];
    for (const id of Object.values(ContentKeys))
      certificates.push(certificateIn(await keyIn(account, id, () => newCredentials(Date.now()))));
    attributes['Certificates'] = certificates.join('');
    if (HashedSecret !== undefined)
      attributes['Hash'] = createHash('sha256')
        .update(await account.readSecret(HashedSecret))
        .digest('hex');
    return attributes;
  };
}

/** The key in a secret; a value that is none is what the secret was made with, and is replaced. */
async function keyIn(account: Account, id: string, make: () => Promise<string>): Promise<string> {
  const kept = await account.readSecret(id);
  if (kept.startsWith('-----BEGIN PRIVATE KEY-----')) return kept;
  const made = await make();
  await account.writeSecret(id, made);
  return made;
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function publicHalf(privateKeyPem: string): string {
  return createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString();
}
