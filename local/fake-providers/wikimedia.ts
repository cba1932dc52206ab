/** A fake provider of Wikimedia Commons: search, thumbnails in the listed widths only, and originals. */

import {
  type FakeProvider,
  type FakeProviderRequest,
  faultFor,
  image,
  json,
  notFound,
  plain,
} from './fake-provider';
import fixture from './fixtures/wikimedia.json';
import {
  drawPhoto,
  isMisfit,
  type Photo,
  photoByNumber,
  photosFor,
  scaledTo,
  subjectOf,
  tokenOf,
} from './photos';

/** https://www.mediawiki.org/wiki/Common_thumbnail_sizes */
const steps = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840];
const photosPerSearch = 24;
const faults = {
  fake429: plain('Too many requests', 429, { 'retry-after': '60' }),
  fake403: plain(fixture.userAgent, 403),
  fakemaxlag: json(fixture.rateLimit),
  fake400: json(fixture.badRequest),
  fakeempty: json(fixture.empty),
};

const collection = { provider: 'wikimedia', isArchive: true };

/** Wikimedia Commons: needs a contact in `User-Agent`, and finds misfits among photos. */
export const wikimediaFakeProvider: FakeProvider = {
  wordsOf: ({ parameters }) => wordsIn(parameters.get('gsrsearch')),

  async answer(request) {
    const { path, headers } = request;
    const [, thumbToken = '', width] = /\/commons\/thumb\/a\/a1\/([\w-]+)\.jpg\/(\d+)px-/.exec(path) ?? [];
    const thumbnail = subjectOf(thumbToken);
    if (thumbnail) {
      const widthPx = Number(width);
      if (!steps.includes(widthPx) || widthPx >= thumbnail.widthPx) return plain(fixture.step, 400);
      return image(await drawPhoto(thumbnail, scaledTo(thumbnail, widthPx)));
    }
    const original = subjectOf(/\/commons\/a\/a1\/([\w-]+)\.jpg$/.exec(path)?.[1]);
    if (original) return image(await drawPhoto(original));
    // A request without contact details is refused.
    if (!/\(.*(@|https?:\/\/).*\)/.test(headers['user-agent'] ?? '')) return plain(fixture.userAgent, 403);
    return path === '/w/api.php' ? search(request) : notFound;
  },
};

/** The words without the keywords of the search engine. */
function wordsIn(search: string | null): string | undefined {
  return search?.replace(/\S+:\S+/g, '').trim();
}

function search({ parameters, base }: FakeProviderRequest) {
  const wantedPx = Number(parameters.get('iiurlwidth') ?? 1920);
  const pageIds = parameters.get('pageids');
  if (pageIds !== null) {
    const photo = photoByNumber(collection.provider, Number(pageIds));
    const page = photo ? pageOf(photo, 1, base, wantedPx) : { pageid: Number(pageIds), missing: true };
    return json({ batchcomplete: true, query: { pages: [page] } });
  }
  const words = wordsIn(parameters.get('gsrsearch')) ?? '';
  const fault = faultFor(words, faults);
  if (fault) return fault;
  // A few of its photos are featured: too few for most orientations, so that the others are searched as well.
  const isFeatured = parameters.get('gsrsearch')?.includes('haswbstatement:P6731=') ?? false;
  const all = photosFor(collection, words, 'any', photosPerSearch);
  const photos = isFeatured ? all.filter((photo, index) => index % 4 === 0 && !isMisfit(photo)) : all;
  const pages = photos.map((photo, index) => pageOf(photo, index + 1, base, wantedPx));
  return json({ batchcomplete: true, query: { pages } });
}

function pageOf(photo: Photo, index: number, base: string, wantedPx: number) {
  const [page] = fixture.search.query.pages;
  const [info] = page?.imageinfo ?? [];
  const file = `${tokenOf(photo)}.jpg`;
  const url = `${base}/wikipedia/commons/a/a1/${file}`;
  const step = steps.find((width) => width >= wantedPx) ?? wantedPx;
  const thumb = `${base}/wikipedia/commons/thumb/a/a1/${file}/${step}px-${file}?utm_source=commons.wikimedia.org`;
  const artist = `<a href="//commons.wikimedia.org/wiki/User:${photo.handle}">${photo.photographer}</a>`;
  return {
    ...page,
    pageid: photo.number,
    title: `File:${photo.title}.jpg`,
    index,
    imageinfo: [
      {
        ...info,
        width: photo.widthPx,
        height: photo.heightPx,
        url,
        thumburl: step < photo.widthPx ? thumb : url,
        thumbwidth: Math.min(wantedPx, photo.widthPx),
        descriptionurl: `https://commons.wikimedia.org/wiki/File:${encodeURIComponent(photo.title)}.jpg`,
        extmetadata: {
          ...info?.extmetadata,
          Artist: { value: artist },
          Categories: { value: photo.tags.join('|') },
        },
      },
    ],
  };
}
