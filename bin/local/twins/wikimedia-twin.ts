/** A twin of Wikimedia Commons: search, thumbnails in the listed widths only, and originals. */

import { drawPhoto, scaledTo } from './draw-photo';
import fixture from './fixtures/wikimedia.json';
import { photosFor, subjectOf, type TwinPhoto, tokenOf } from './photo-catalogue';
import { json, notFound, picture, plain, type Twin, type TwinRequest } from './twin';

/** https://www.mediawiki.org/wiki/Common_thumbnail_sizes */
const steps = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840];
const found = 24;

export const wikimediaTwin: Twin = {
  wordsOf: ({ parameters }) => wordsIn(parameters.get('gsrsearch')),

  async answer(request) {
    const { path, headers } = request;
    const [, thumbToken = '', width] = /\/commons\/thumb\/a\/a1\/([\w-]+)\.jpg\/(\d+)px-/.exec(path) ?? [];
    const thumbnail = subjectOf(thumbToken);
    if (thumbnail) {
      const widthPx = Number(width);
      if (!steps.includes(widthPx) || widthPx >= thumbnail.widthPx) return plain(fixture.step, 400);
      return picture(await drawPhoto(thumbnail, scaledTo(thumbnail, widthPx)));
    }
    const original = subjectOf(/\/commons\/a\/a1\/([\w-]+)\.jpg$/.exec(path)?.[1] ?? '');
    if (original) return picture(await drawPhoto(original));
    // Whoever does not say how to be reached is turned away.
    if (!/\(.*(@|https?:\/\/).*\)/.test(headers['user-agent'] ?? '')) return plain(fixture.userAgent, 403);
    return path === '/w/api.php' ? search(request) : notFound;
  },
};

/** The words without the keywords of the search engine. */
function wordsIn(search: string | null): string | undefined {
  return search?.replace(/\S+:\S+/g, '').trim();
}

function search({ parameters, base }: TwinRequest) {
  const words = wordsIn(parameters.get('gsrsearch')) ?? '';
  if (words.includes('twin-429')) return plain('Too many requests', 429, { 'retry-after': '60' });
  if (words.includes('twin-403')) return plain(fixture.userAgent, 403);
  if (words.includes('twin-maxlag')) return json(fixture.rateLimit);
  if (words.includes('twin-400')) return json(fixture.badRequest);
  if (words.includes('twin-empty')) return json(fixture.empty);
  const askedPx = Number(parameters.get('iiurlwidth') ?? 1920);
  const photos = photosFor('wikimedia', words, 'any', found);
  const pages = photos.map((photo, index) => pageOf(photo, index + 1, base, askedPx));
  return json({ batchcomplete: true, query: { pages } });
}

function pageOf(photo: TwinPhoto, index: number, base: string, askedPx: number) {
  const [page] = fixture.search.query.pages;
  const [info] = page?.imageinfo ?? [];
  const file = `${tokenOf(photo)}.jpg`;
  const url = `${base}/wikipedia/commons/a/a1/${file}`;
  const step = steps.find((width) => width >= askedPx) ?? askedPx;
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
        thumbwidth: Math.min(askedPx, photo.widthPx),
        descriptionurl: `https://commons.wikimedia.org/wiki/File:${encodeURIComponent(photo.title)}.jpg`,
        extmetadata: { ...info?.extmetadata, Artist: { value: artist } },
      },
    ],
  };
}
