/** Attacks on the operator's costs: what each costs, and its bound. */

import { type Answer, ask, header } from './ask';
import { requestsTo } from './fake-providers';
import { type Operation, startOperation } from './keys/operation';
import type { Issued } from './operator';

interface Attack {
  readonly name: string;
  /** What it costs, and whether that is within its bound. */
  run(service: Operation): Promise<{ readonly now: string; readonly isBounded: boolean }>;
}

async function openAccount(service: Operation): Promise<Issued> {
  return service.keys('create', '--plan', 'free', '--name', 'attacker');
}

/** A client of a page with a site key of an account. */
async function openSite(
  service: Operation,
  { account }: Issued,
  allowed = 'https://a.example',
  origin = allowed,
) {
  const { siteKey } = await service.openSite(account, allowed, 200);
  return (path: string) => ask(service.url, { path: `${path}&site=${siteKey}`, headers: { Origin: origin } });
}

/** A batch, as its sender meets it. */
async function post(service: Operation, { key }: Issued, body: string) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const response = await fetch(`${service.url}/api/images`, { method: 'POST', headers, body });
  return { status: response.status, body: await response.text() };
}

const shown = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 302).length;
const used = async (service: Operation, { key }: Issued) => Number((await service.usageOf(key))['used']);

/** One after the other, as a rendition that is being made is no new one. */
async function each(count: number, send: (index: number) => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < count; i++) answers.push(await send(i));
  return answers;
}

const unsplash = (service: Operation) => requestsTo(service.fakeProviders['unsplash'] as string);

/** The slots of a batch that show an image. */
function imagesIn({ body }: { readonly body: string }): number {
  const { images } = JSON.parse(body) as { readonly images: Readonly<Record<string, object>> };
  return Object.values(images).filter((image) => 'url' in image).length;
}

const attacks: readonly Attack[] = [
  {
    name: 'One unit of a site key, in 75 sizes',
    async run(service) {
      const account = await openAccount(service);
      const visit = await openSite(service, account);
      const made = shown(
        await each(75, (i) => visit(`/api/image?query=harbour&width=${100 + i}&height=100`)),
      );
      const units = await used(service, account);
      return { now: `${made} renditions for ${units} unit`, isBounded: made <= 61 && units === 1 };
    },
  },
  {
    name: '70 new searches of one visitor, then the account’s own',
    async run(service) {
      const account = await openAccount(service);
      const visit = await openSite(service, account);
      const found = shown(await each(70, (i) => visit(`/api/image?query=search+${i}&width=100&height=100`)));
      const own = await service.get(account.key, '/api/image/200x200-search-of-my-own');
      return {
        now: `${found} searches, the account’s own: ${own.status}`,
        isBounded: found <= 60 && own.status === 302,
      };
    },
  },
  {
    name: '90 reports of /api/usage in a minute',
    async run(service) {
      const account = await openAccount(service);
      const answers = await each(90, () => service.get(account.key, '/api/usage'));
      const answered = answers.filter(({ status }) => status === 200).length;
      // The clock minute may turn once meanwhile, and used is read by a report as well.
      return { now: `${answered} reports`, isBounded: answered <= 60 };
    },
  },
  {
    name: 'A batch of 24 new AI images on the free plan',
    async run(service) {
      const account = await openAccount(service);
      const images = Array.from({ length: 24 }, (_, i) => ({
        ...{ slot: `s${i}`, query: `fox ${i}`, provider: 'ai', width: 100, height: 100 },
      }));
      const made = imagesIn(await post(service, account, JSON.stringify({ images })));
      const units = await used(service, account);
      return { now: `${made} images for ${units} units`, isBounded: made === 24 && units === 24 };
    },
  },
  {
    name: 'Two slots of the same AI image',
    async run(service) {
      const account = await openAccount(service);
      const about = { query: 'a fox twice', provider: 'ai', width: 100, height: 100 };
      const images = [
        { slot: 'a', ...about },
        { slot: 'b', ...about },
      ];
      const made = imagesIn(await post(service, account, JSON.stringify({ images })));
      const units = await used(service, account);
      return { now: `${made} image for ${units} unit`, isBounded: made === 1 && units === 1 };
    },
  },
  {
    name: 'The same pick under no seed and under seed=1',
    async run(service) {
      const account = await openAccount(service);
      const visit = await openSite(service, account);
      for (const seed of ['', '&seed=1']) await visit(`/api/image?query=pier&width=300&height=200${seed}`);
      const units = await used(service, account);
      return { now: `${units} unit`, isBounded: units === 1 };
    },
  },
  {
    name: 'One image of Unsplash in 30 sizes, then another account’s search',
    async run(service) {
      const [account, other] = [await openAccount(service), await openAccount(service)];
      const path = (words: string, width: number) =>
        `/api/image?query=${words}&width=${width}&height=100&provider=stock_b`;
      // The slots of other rows fall back to Unsplash, too.
      const before = (await unsplash(service)).length;
      await each(30, (i) => service.get(account.key, path('old+harbour', 100 + i)));
      const sent = (await unsplash(service)).length - before;
      const next = await service.get(other.key, path('quiet+wood', 200));
      const source = header(next, 'x-image-source');
      return {
        now: `${sent} requests to Unsplash, the other account’s: ${source}`,
        isBounded: sent <= 4 && source === 'stock_b',
      };
    },
  },
  {
    name: 'Six new searches at Unsplash without a key, beyond half of its budget',
    async run(service) {
      const visit = (i: number) =>
        ask(service.url, { path: `/api/image/100x10${i}-tree-${i}?provider=stock_b` });
      const answers = await each(6, visit);
      const others = answers.filter((answer) => header(answer, 'x-image-source') !== 'stock_b').length;
      return {
        now: `${shown(answers)} images, ${others} of them of another source`,
        isBounded: shown(answers) === 6 && others > 0,
      };
    },
  },
  {
    name: 'A site key under an origin that ends like its own',
    async run(service) {
      const account = await openAccount(service);
      const visit = await openSite(
        service,
        account,
        'https://*.example.org',
        'https://evil.com/.example.org',
      );
      const { status } = await visit('/api/image?query=harbour&width=200&height=200');
      return { now: `${status}`, isBounded: status === 403 };
    },
  },
  {
    name: 'A batch of 11 MB',
    async run(service) {
      const account = await openAccount(service);
      const { status } = await post(service, account, ' '.repeat(11 * 1024 * 1024));
      return { now: `${status}, and ${await used(service, account)} units`, isBounded: status === 413 };
    },
  },
];

let service: Operation;
beforeAll(async () => {
  service = await startOperation({ PROVIDER_QUOTAS: '{"unsplash":{"perHour":10}}' }, [
    ...['--fake-providers', '--bind', 'stock_b=unsplash'],
  ]);
});
afterAll(() => service?.close());

test.each(attacks)('$name', async ({ run }) => {
  const { now, isBounded } = await run(service);
  expect({ now, isBounded }).toEqual({ now, isBounded: true });
});
