/** A fake Wikimedia Commons: search, thumbnails in the listed widths only, and originals. It wants a contact, and finds misfits. */

import { type FakeProvider, image, json, plain } from './fake-provider';
import { drawPhoto, type Photo, Photos, scaledTo } from './photos';

/** https://www.mediawiki.org/wiki/Common_thumbnail_sizes */
const steps = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840];
const noContact = plain('Please set a user-agent and respect our robot policy.', 403);

/** Wikimedia Commons, as far as its adapter asks it. */
export const wikimediaFakeProvider: FakeProvider = {
  photos: new Photos('wikimedia', true),
  /** Without the keywords of the search engine. */
  wordsOf: (parameters) =>
    parameters
      .get('gsrsearch')
      ?.replace(/\S+:\S+/g, '')
      .trim(),
  faults: {
    fake429: plain('Too many requests', 429, { 'retry-after': '60' }),
    fake403: noContact,
    fakemaxlag: json({ error: { code: 'ratelimited', info: 'You have exceeded your rate limit.' } }),
    fake400: json({ error: { code: 'badvalue', info: 'Unrecognized value for parameter "gsrsearch".' } }),
    fakeempty: json({ batchcomplete: true }),
  },
  image({ path }) {
    const [, token, width] = /\/commons\/(?:thumb\/)?a\/a1\/([\w-]+)\.jpg(?:\/(\d+)px-.*)?$/.exec(path) ?? [];
    const photo = this.photos.byToken(token);
    if (!photo || width === undefined) return photo && image(drawPhoto(photo));
    return steps.includes(Number(width)) && Number(width) < photo.widthPx
      ? image(drawPhoto(photo, scaledTo(photo, Number(width))))
      : Promise.resolve(plain('Use thumbnail steps listed on https://w.wiki/GHai', 400));
  },
  refusal: ({ headers }) =>
    /\(.*(@|https?:\/\/).*\)/.test(headers['user-agent'] ?? '') ? undefined : noContact,
  answer({ path, parameters, base }) {
    if (path !== '/w/api.php') return undefined;
    const wantedPx = Number(parameters.get('iiurlwidth') ?? 1_920);
    const answer = (pages: readonly object[]) => json({ batchcomplete: true, query: { pages } });
    const id = parameters.get('pageids');
    if (id !== null) {
      const photo = this.photos.byNumber(Number(id));
      return answer([photo ? pageOf(photo, 1, base, wantedPx) : { pageid: Number(id), missing: true }]);
    }
    // A few of its photos are featured: too few for most orientations, so that the others are searched as well.
    const isFeatured = parameters.get('gsrsearch')?.includes('haswbstatement:P6731=');
    const found = this.photos
      .search(this.wordsOf(parameters) ?? '', 'any', 24)
      .filter(({ isMisfit }, index) => !isFeatured || (index % 4 === 0 && !isMisfit));
    return answer(found.map((photo, index) => pageOf(photo, index + 1, base, wantedPx)));
  },
};

function pageOf(
  { number, token, title, tags, photographer, handle, ...size }: Photo,
  index: number,
  base: string,
  wantedPx: number,
) {
  const url = `${base}/wikipedia/commons/a/a1/${token}.jpg`;
  const step = steps.find((width) => width >= wantedPx) ?? wantedPx;
  const thumb = `${base}/wikipedia/commons/thumb/a/a1/${token}.jpg/${step}px-${token}.jpg?utm_source=commons.wikimedia.org`;
  const info = {
    width: size.widthPx,
    height: size.heightPx,
    mime: 'image/jpeg',
    url,
    thumburl: step < size.widthPx ? thumb : url,
    thumbwidth: Math.min(wantedPx, size.widthPx),
    descriptionurl: `https://commons.wikimedia.org/wiki/File:${encodeURIComponent(title)}.jpg`,
    extmetadata: {
      LicenseShortName: { value: 'CC BY-SA 4.0' },
      LicenseUrl: { value: 'https://creativecommons.org/licenses/by-sa/4.0' },
      Artist: { value: `<a href="//commons.wikimedia.org/wiki/User:${handle}">${photographer}</a>` },
      Categories: { value: tags.join('|') },
    },
  };
  return { pageid: number, ns: 6, title: `File:${title}.jpg`, index, imageinfo: [info] };
}
