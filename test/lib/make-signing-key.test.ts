/** The signing key is created once, and CloudFormation always receives a response. */

import { createPublicKey } from 'node:crypto';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { customResource } from '../../lib/deploy-time/custom-resource';
import {
  type KeySafe,
  makeSigningKey,
  publicPartOf,
} from '../../lib/deploy-time/signing-key/make-signing-key';

function safeWith(initial: string | undefined): KeySafe & { readonly kept: () => string | undefined } {
  let value = initial;
  return {
    kept: () => value,
    read: async () => value,
    write: async (_, pem) => {
      value = pem;
    },
  };
}

const event = (RequestType: 'Create' | 'Update' | 'Delete') =>
  ({
    RequestType,
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'SigningKeyPair',
    ResponseURL: 'https://cloudformation.example/answer',
    ResourceProperties: { SecretId: 'secret' },
  }) as unknown as CloudFormationCustomResourceEvent;

async function answerTo(
  safe: KeySafe,
  type: 'Create' | 'Update' | 'Delete',
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown>[] = [];
  await customResource('signing-key-pair', makeSigningKey(safe), async (_, body) => {
    answers.push(JSON.parse(body));
  })(event(type));
  expect(answers).toHaveLength(1);
  return answers[0] ?? {};
}

test('creates a P-256 key pair where the secret holds a placeholder, and returns the public key only', async () => {
  const safe = safeWith('stand-in');
  const pem = await publicPartOf('secret', safe);
  expect(createPublicKey(pem).asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  expect(safe.kept()).toMatch(/^-----BEGIN PRIVATE KEY-----/);
});

test('returns the same key again, so that an update never invalidates signed URLs', async () => {
  const safe = safeWith(undefined);
  const first = await publicPartOf('secret', safe);
  expect(await publicPartOf('secret', safe)).toBe(first);
});

test('returns the public key to CloudFormation and no part of the private one', async () => {
  const safe = safeWith('stand-in');
  const answer = await answerTo(safe, 'Create');
  expect(answer).toMatchObject({
    Status: 'SUCCESS',
    RequestId: 'request',
    LogicalResourceId: 'SigningKeyPair',
  });
  expect(JSON.stringify(answer)).not.toContain('PRIVATE');
});

test.each(['read', 'write'] as const)('reports to CloudFormation that it could not %s', async (call) => {
  const broken: KeySafe = { ...safeWith(undefined), [call]: () => Promise.reject(new Error('no access')) };
  expect(await answerTo(broken, 'Create')).toMatchObject({ Status: 'FAILED', Reason: 'no access' });
});

test('removing the stack touches no key', async () => {
  const broken: KeySafe = { ...safeWith(undefined), read: () => Promise.reject(new Error('not asked')) };
  expect(await answerTo(broken, 'Delete')).toMatchObject({ Status: 'SUCCESS' });
});
