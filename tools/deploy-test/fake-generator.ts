/** A fake server of models that speaks OpenAI's images API: each image is a plain PNG. */

import sharp from 'sharp';
import { type FakeProvider, json, notFound } from '../../local/fake-providers/fake-provider';

/** `GET {base URL}/_requests` lists the requests to it. */
export const fakeGenerator: FakeProvider = {
  keyIn: { header: 'authorization' },

  wordsOf: () => undefined,

  async answer({ path, body }) {
    if (path === '/models') return json({ data: [{ id: 'fake' }] });
    return path === '/images/generations'
      ? json({ data: [{ b64_json: await drawn(JSON.parse(body)) }] })
      : notFound;
  },
};

/** A plain PNG in base64. @param size `WxH` in pixels */
async function drawn({ size = '1024x1024' }: { readonly size?: string }): Promise<string> {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const plain = sharp({ create: { width, height, channels: 3, background: '#456' } });
  return (await plain.png().toBuffer()).toString('base64');
}
