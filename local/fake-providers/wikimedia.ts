/** A fake Wikimedia Commons: search, thumbnails in listed widths. It needs a contact. */

import { type FakeProvider, jsonReply, textReply } from './fake-provider';
import { Photos, scaleSize } from './photos';

/** https://www.mediawiki.org/wiki/Common_thumbnail_sizes */
const steps = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840];
const noContact = textReply('Please set a user-agent and respect our robot policy.', 403);
const listOf = (pages: readonly object[]) => ({ batchcomplete: true, query: { pages } });

/** Wikimedia Commons, as far as its adapter asks it. */
export const wikimediaFakeProvider: FakeProvider = {
  photos: new Photos('wikimedia'),
  refusal: ({ headers: { 'user-agent': userAgent = '' } }) =>
    /\(.*(@|https?:\/\/).*\)/.test(userAgent) ? undefined : noContact,
  faults: {
    fake429: textReply('Too many requests', 429, { 'retry-after': '60' }),
    fake403: noContact,
    fakemaxlag: jsonReply({ error: { code: 'ratelimited', info: 'You have exceeded your rate limit.' } }),
    fake400: jsonReply({
      error: { code: 'badvalue', info: 'Unrecognized value for parameter "gsrsearch".' },
    }),
    fakeempty: jsonReply({ batchcomplete: true }),
  },
  searchPath: '/w/api.php',
  // Without keywords of the search engine, such as `filetype:bitmap`.
  wordsOf: (parameters) =>
    parameters
      .get('gsrsearch')
      ?.replace(/\S+:\S+/g, '')
      .trim(),
  requiresAll: () => true,
  // It makes at most 50 thumbnails in one request.
  page: { parameter: 'gsrlimit', default: 10, max: 50 },
  photoAt: 'pageids',
  missing: (parameters) => jsonReply(listOf([{ pageid: Number(parameters.get('pageids')), missing: true }])),
  listOf,
  imageAt: /\/commons\/(?:thumb\/)?a\/a1\/([\w-]+)\.jpg(?:\/(\d+)px-.*)?$/,
  sizeOf(photo, _, width) {
    if (width === undefined) return photo;
    return steps.includes(Number(width)) && Number(width) < photo.widthPx
      ? scaleSize(photo, Number(width) / photo.widthPx)
      : textReply('Use thumbnail steps listed on https://w.wiki/GHai', 400);
  },
  recordOf(
    { number, token, title, tags, photographer, handle, widthPx, heightPx },
    { base, parameters },
    index,
  ) {
    const folder = `${base}/wikipedia/commons`;
    const url = `${folder}/a/a1/${token}.jpg`;
    const wantedPx = Number(parameters.get('iiurlwidth') ?? 1_920);
    const step = steps.find((width) => width >= wantedPx) ?? wantedPx;
    const thumb = `${folder}/thumb/a/a1/${token}.jpg/${step}px-${token}.jpg?utm_source=commons.wikimedia.org`;
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
        Artist: { value: `<a href="//commons.wikimedia.org/wiki/User:${handle}">${photographer}</a>` },
        Categories: { value: tags.join('|') },
      },
    };
    return { pageid: number, ns: 6, title: `File:${title}.jpg`, index: index + 1, imageinfo: [info] };
  },
};
