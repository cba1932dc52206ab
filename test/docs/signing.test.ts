/** The signing algorithm as published: whoever follows the text alone signs as the service does. */

import { createHmac } from 'node:crypto';
import { signedParameters } from '../../lambda/contract/parameters';
import { defaultPlans } from '../../lambda/contract/plans';
import { llmsText } from '../../lambda/docs/guide';
import { createSigner } from '../../packages/client/src/client';

const guide = llmsText('https://img.example', defaultPlans);
const section = /## Sign a URL\n([\s\S]*?)\n## /.exec(guide)?.[1] ?? '';

const [, url = '', secret = ''] =
  /For example, (\S+) is signed with the secret (\S+) over/.exec(section) ?? [];
const message = [...section.matchAll(/^ {4}(.*)$/gm)].map(([, line]) => line).join('\n');
const signed = /^as (\S+)$/m.exec(section)?.[1] ?? '';

it('the example of a signed URL follows from its secret and its message by the last two steps', () => {
  const key = Buffer.from(secret.slice('sgs_test_'.length, -6), 'base64url');
  expect(key).toHaveLength(32);
  const mac = createHmac('sha256', key).update(message).digest();
  expect(signed).toContain(`&signature=${mac.subarray(0, 16).toString('base64url')}`);
});

it('the example of a signed URL has the signature of the client package', async () => {
  const [, id = '', expires] = message.split('\n');
  const signer = createSigner({ id, secret });
  expect(await signer.sign(url, { expires: Number(expires) })).toBe(signed);
});

it('the documentation names every parameter that a signature covers', () => {
  expect(section).toContain(`those that the URL has of ${[...signedParameters].sort().join(', ')};`);
});
