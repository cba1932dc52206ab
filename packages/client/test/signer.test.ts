/** Signs every vector, and URLs that cannot be signed. */

import { createSigner, writeCanonicalForm } from '../src/signer';
import { getSecret, signers, vectors } from './vectors';

const [{ id, secret }] = signers as [(typeof signers)[number]];
const signer = createSigner({ id, secret });
const root = 'https://img.example.com/api/image';

test.each(vectors)('a signer signs $name', async ({ signer: signerId, url, expires, canonical, signed }) => {
  expect(writeCanonicalForm(url)).toBe(canonical);
  const options = expires === undefined ? {} : { expires: Number(expires) };
  expect(await createSigner({ id: signerId, secret: getSecret(signerId) }).sign(url, options)).toBe(signed);
});

test.each(['/api/image', '/api/image/300x200-sea'])('a signer ignores slashes at the end of %s', (path) => {
  const query = path.includes('sea') ? '?seed=2' : '?query=sea&width=300&height=200&seed=2';
  for (const spelledPath of [path, `${path}/`, `${path}//`])
    expect(writeCanonicalForm(spelledPath + query)).toBe('height=200&query=sea&seed=2&width=300');
});

test.each([
  ['a key', `${root}?query=sea&api_key=pk_live_x`, 'api_key cannot be signed'],
  ['a site key', `${root}?query=sea&site=site_live_x`, 'site cannot be signed'],
  ['a signature already', `${root}?query=sea&signer=${id}&signature=x`, 'signer cannot be signed'],
  ['an end that is not the signed one', `${root}?query=sea&expires=1`, 'expires cannot be signed'],
  ['a parameter twice', `${root}?query=sea&query=lake`, 'query is given twice'],
  ['a query beside the path form', `${root}/800x600-sea?query=lake`, 'query is given twice'],
  ['a width beside the path form', `${root}/800x600-sea?width=400`, 'width is given twice'],
  ['no size in its path', `${root}/sea`, 'No image URL'],
  ['another path', 'https://img.example.com/api/usage', 'No image URL'],
  ['a broken percent sequence in its path', `${root}/800x600-%E0%A4%A`, 'URI malformed'],
])('a signer refuses a URL with %s', async (_name, url, message) => {
  await expect(signer.sign(url)).rejects.toThrow(message);
});

test('a signer refuses an end in other numbers than whole seconds', async () => {
  for (const expires of [1.5, -1, Number.NaN, 1e21])
    await expect(signer.sign(`${root}?query=sea`, { expires })).rejects.toThrow(
      'expires must be whole Unix seconds',
    );
});

test('createSigner does not repeat wrong credentials in its error', () => {
  const other = signers[1] as (typeof signers)[number];
  for (const [wrongId, wrongSecret] of [
    [id, 'sgs_live_short'],
    ['sg_live_short', secret],
    [id, other.secret],
    [other.id, secret],
    [secret, id],
  ] as const)
    expect(() => createSigner({ id: wrongId, secret: wrongSecret })).toThrow(
      'No id and secret of one signer',
    );
});
