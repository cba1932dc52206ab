/** An account whose pages show images, the first of which is gone, and that has decided about others. */

import { postJson } from '../ask';
import type { TestAccount } from '../local-account';
import type { Stage } from '../playground/start-page';

const words = ['harbour at dawn', 'breakfast table', 'old lighthouse', 'sailing boat', 'fish market'];

export async function showPages({ service, accounts }: Stage): Promise<TestAccount> {
  const opened = await accounts.open('business', 1_000);
  const post = (path: string, body: object) => postJson(service.url, path, opened.key, body);
  for (const [page, queries] of [
    ['about', words.slice(3)],
    ['home', words],
  ] as const) {
    const images = queries.map((query, i) => ({ slot: `slot ${i}`, query, width: 600, height: 400 }));
    const drawn = { slot: 'drawn', query: 'lighthouse keeper', provider: 'ai', width: 300, height: 200 };
    const answer = await post('/api/images', { page, images: page === 'home' ? [...images, drawn] : images });
    if (answer.status !== 200) throw new Error(`/api/images answered ${answer.status}`);
    const { images: records } = (await answer.json()) as { images: Record<string, { pick: string }> };
    if (page === 'home') await accounts.removeFromSource(records['slot 0']?.pick ?? '');
    const pick = records['slot 1']?.pick;
    const decided = await post('/api/picks', {
      query: 'sailing boat',
      [page === 'home' ? 'refuse' : 'pick']: pick,
    });
    if (!decided.ok) throw new Error(`/api/picks answered ${decided.status}`);
  }
  return opened;
}
