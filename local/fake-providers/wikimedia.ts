/** A fake Wikimedia Commons: search, thumbnails in the listed widths only, and originals. It wants a contact, and finds misfits. */

import { type FakeProvider, faultFor, image, json, notFound, plain } from './fake-provider';
import {
  type Collection,
  drawPhoto,
  isMisfit,
  type Photo,
  photoByNumber,
  photosFor,
  scaledTo,
  subjectOf,
  tokenOf,
} from './photos';

const collection: Collection = { provider: 'wikimedia', isArchive: true };
/** https://www.mediawiki.org/wiki/Common_thumbnail_sizes */
const steps = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840];
const noContact = plain('Please set a user-agent and respect our robot policy.', 403);
const faults = {
  fake429: plain('Too many requests', 429, { 'retry-after': '60' }),
  fake403: noContact,
  fakemaxlag: json({ error: { code: 'ratelimited', info: 'You have exceeded your rate limit.' } }),
  fake400: json({ error: { code: 'badvalue', info: 'Unrecognized value for parameter "gsrsearch".' } }),
  fakeempty: json({ batchcomplete: true }),
};

/** The words without the keywords of the search engine. */
const wordsIn = (search: string | null) => search?.replace(/\S+:\S+/g, '').trim();

/** Wikimedia Commons, as far as its adapter asks it. */
export const wikimediaFakeProvider: FakeProvider = {
  wordsOf: ({ parameters }) => wordsIn(parameters.get('gsrsearch')),

  async answer({ path, parameters, headers, base }) {
    const [, token, width] = /\/commons\/thumb\/a\/a1\/([\w-]+)\.jpg\/(\d+)px-/.exec(path) ?? [];
    const thumbnail = subjectOf(token);
    if (thumbnail) {
      const isStep = steps.includes(Number(width)) && Number(width) < thumbnail.widthPx;
      if (!isStep) return plain('Use thumbnail steps listed on https://w.wiki/GHai', 400);
      return image(await drawPhoto(thumbnail, scaledTo(thumbnail, Number(width))));
    }
    const original = subjectOf(/\/commons\/a\/a1\/([\w-]+)\.jpg$/.exec(path)?.[1]);
    if (original) return image(await drawPhoto(original));
    if (!/\(.*(@|https?:\/\/).*\)/.test(headers['user-agent'] ?? '')) return noContact;
    return path === '/w/api.php' ? search(parameters, base) : notFound;
  },
};

function search(parameters: URLSearchParams, base: string) {
  const wantedPx = Number(parameters.get('iiurlwidth') ?? 1_920);
  const answer = (pages: readonly object[]) => json({ batchcomplete: true, query: { pages } });
  const id = parameters.get('pageids');
  if (id !== null) {
    const photo = photoByNumber(collection, Number(id));
    return answer([photo ? pageOf(photo, 1, base, wantedPx) : { pageid: Number(id), missing: true }]);
  }
  const words = wordsIn(parameters.get('gsrsearch')) ?? '';
  const fault = faultFor(words, faults);
  if (fault) return fault;
  // A few of its photos are featured: too few for most orientations, so that the others are searched as well.
  const isFeatured = parameters.get('gsrsearch')?.includes('haswbstatement:P6731=');
  const photos = photosFor(collection, words, 'any', 24).filter(
    (photo, index) => !isFeatured || (index % 4 === 0 && !isMisfit(photo)),
  );
  return answer(photos.map((photo, index) => pageOf(photo, index + 1, base, wantedPx)));
}

function pageOf(photo: Photo, index: number, base: string, wantedPx: number) {
  const { number, title, tags, photographer, handle, widthPx, heightPx } = photo;
  const file = `${tokenOf(photo)}.jpg`;
  const url = `${base}/wikipedia/commons/a/a1/${file}`;
  const step = steps.find((width) => width >= wantedPx) ?? wantedPx;
  const thumb = `${base}/wikipedia/commons/thumb/a/a1/${file}/${step}px-${file}?utm_source=commons.wikimedia.org`;
  const artist = `<a href="//commons.wikimedia.org/wiki/User:${handle}">${photographer}</a>`;
  const info = {
    width: widthPx,
    height: heightPx,
    mime: 'image/jpeg',
    url,
    thumburl: step < widthPx ? thumb : url,
    thumbwidth: Math.min(wantedPx, widthPx),
    descriptionurl: `https://commons.wikimedia.org/wiki/File:${encodeURIComponent(title)}.jpg`,
    extmetadata: {
      LicenseShortName: { value: 'CC BY-SA 4.0' },
      LicenseUrl: { value: 'https://creativecommons.org/licenses/by-sa/4.0' },
      Artist: { value: artist },
      Categories: { value: tags.join('|') },
    },
  };
  return { pageid: number, ns: 6, title: `File:${title}.jpg`, index, imageinfo: [info] };
}
