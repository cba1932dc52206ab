/** Wikimedia Commons: free images without a key, for clients that identify themselves (https://commons.wikimedia.org/w/api.php). */

import type * as z from 'zod/mini';
import { coverScale, type Orientation } from '../../images/image';
import type { Size } from '../../requests/rendition';
import type { StockProvider } from '../stock-provider';
import { type Subject, searchWords } from '../understand';
import { connect } from './core';
import type { ProviderSettings } from './provider-settings';
import { type Diagnosis, parsed, type Reply } from './wire/fetch-json';
import { countField, listOf, pageField, part, textField, urlField } from './wire/fields';
import { htmlToText } from './wire/html-to-text';
import { climb } from './wire/ladder';
import { commonsLicense } from './wire/licences';
import { preferOrientation } from './wire/prefer-orientation';
import { list, nameText, type Photo, record, text } from './wire/read-json';
import { pageUrl } from './wire/urls';

/** Smallest originals that are looked for; `>` includes the number itself. */
const smallest = {
  landscape: 'filew:>1600 fileh:>900',
  portrait: 'filew:>900 fileh:>1600',
  square: 'filew:>1080 fileh:>1080',
} as const;
/** Words that an image has to have all of where too few have those of the first search. */
const fewerWordsMax = 2;
/** Categories that say how a file is kept, not what it shows; some 60 % of all. */
const maintenance =
  /^(?:CC-|GFDL|PD[- ]|Self-published)|\b(?:licen[sc]es?|files?|pages?|images?|media|uploaded|wikidata|templates?|commons|coordinates|panoramio|project|taken (?:on|with)|metadata|copyright|review|uncategori[sz]ed|featured|quality|valued|photographs by)\b/i;
const assessed = /\b(?:featured|quality|valued) (?:pictures|images)\b/i;
/** https://www.mediawiki.org/wiki/Common_thumbnail_sizes; every other width is answered with 400. */
const steps = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840] as const;
/** The step that a search names, from whose URL the others differ in the number alone. */
const searchedStep = 1920;
const image = {
  ...{
    action: 'query',
    format: 'json',
    formatversion: '2',
    prop: 'imageinfo',
    iiprop: 'url|size|mime|extmetadata',
  },
  iiurlwidth: String(searchedStep),
  iiextmetadatafilter:
    'LicenseShortName|LicenseUrl|Artist|Credit|ImageDescription|Categories|AttributionRequired',
} as const;

const metadata = part({ value: textField });
/** https://www.mediawiki.org/wiki/API:Imageinfo. */
const schema = part({
  pageid: countField,
  title: textField,
  imageinfo: listOf(
    part({
      ...{ mime: textField, width: countField, height: countField },
      ...{ url: urlField, thumburl: urlField, descriptionurl: pageField },
      extmetadata: part({
        ...{ LicenseShortName: metadata, LicenseUrl: metadata, Artist: metadata },
        ...{ ImageDescription: metadata, Categories: metadata },
      }),
    }),
  ),
});

/** The service makes renditions of its copies, which come in a few widths. */
export function createWikimedia(settings: ProviderSettings): StockProvider {
  const { name, capability, request, candidatesOf } = connect(
    {
      name: 'wikimedia',
      baseUrl: 'https://commons.wikimedia.org',
      // Thumbnails moved to a host of their own in 2026; originals stayed.
      hosts: ['upload.wikimedia.org', 'thumb.wikimedia.org'],
      // For callers with a compliant User-Agent: https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits.
      quota: { perMinute: 200 },
      diagnose,
      schema,
      photoOf,
    },
    settings,
  );
  const candidatesFor = async (
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal,
    subject?: Subject,
  ) => {
    const answer = await request('/w/api.php', { ...image, ...parameters }, signal);
    const pages = list(record(answer, 'query')['pages']);
    const byIndex = (a: unknown, b: unknown) =>
      Number(record(a)['index'] ?? 0) - Number(record(b)['index'] ?? 0);
    return candidatesOf([...pages].sort(byIndex), subject);
  };
  const search = async (words: string, orientation: Orientation, subject: Subject, signal: AbortSignal) => {
    const gsrsearch = `${words} filetype:bitmap ${smallest[orientation]}`;
    // At most 50 images are scaled in one request; half of these remain after filtering.
    const generator = { generator: 'search', gsrsearch, gsrnamespace: '6', gsrlimit: '50' };
    return preferOrientation(await candidatesFor(generator, signal, subject), orientation);
  };
  return {
    name,
    capability,

    async search({ subject, orientation }, signal, takeRequest) {
      const strict = (words: string, of: Subject) => search(words, orientation, of, signal);
      const isShort = subject.words.length <= fewerWordsMax;
      const broader = isShort ? [] : [() => strict(searchWords(subject, fewerWordsMax), subject)];
      return climb({ strict, broader }, subject, takeRequest);
    },

    async byId(id, signal) {
      return (await candidatesFor({ pageids: id }, signal))[0];
    },

    sourceFor({ widthPx, heightPx, sourceUrl: url, extra }, size) {
      if (widthPx === undefined || heightPx === undefined) return undefined;
      return { kind: 'fetch', url: stepUrl({ widthPx, heightPx, url }, extra?.['thumbUrl'], size) };
    },
  };
}

/** Errors come with status 200, in the body. */
function diagnose(reply: Reply): Diagnosis {
  const code = reply.status === 200 ? text(record(parsed(reply), 'error')['code']) : undefined;
  if (code === undefined) return undefined;
  if (/ratelimit|maxlag|too-busy/.test(code)) return { kind: 'throttled' };
  return { kind: /^internal_api|backend|readonly|timeout/.test(code) ? 'unavailable' : 'rejected' };
}

function photoOf({ pageid, title, imageinfo: [info] }: z.output<typeof schema>): Photo | undefined {
  const { width, height, extmetadata: said } = info ?? {};
  if (!info || !said || !width || !height || !/^image\/(?:jpeg|png|webp)$/.test(info.mime ?? ''))
    return undefined;
  const plain = ({ value = '' }: z.output<typeof metadata>) => htmlToText(value);
  const license = commonsLicense(plain(said.LicenseShortName), pageUrl(plain(said.LicenseUrl)));
  const creator = nameText(plain(said.Artist));
  const name = nameText(title?.replace(/^File:|\.\w+$/g, '')) ?? 'Image';
  const categories = plain(said.Categories).split('|');
  return {
    ...{ id: pageid?.toString(), width, height, sourceUrl: info.url, providerName: 'Wikimedia Commons' },
    ...{ creator, landingUrl: info.descriptionurl, license, title: name, alt: plain(said.ImageDescription) },
    creditLine: `“${name}”${creator ? ` by ${creator}` : ''}, ${license?.name}, via Wikimedia Commons`,
    tags: categories.filter((category) => !maintenance.test(category)),
    isFeatured: categories.some((category) => assessed.test(category)),
    extra: info.thumburl === undefined ? undefined : { thumbUrl: info.thumburl },
  };
}

/**
 * The smallest copy that covers a size. A step as wide as the original or wider does not exist: the original itself is
 * taken then, which is exempt from the steps.
 * @param thumbUrl what the API named for `searchedStep`; it is the original where that is narrower
 */
export function stepUrl(
  original: Size & { readonly url: string },
  thumbUrl: string | undefined,
  wanted: Size,
): string {
  const widthPx = Math.ceil(original.widthPx * coverScale(original, wanted));
  const step = steps.find((each) => each >= widthPx);
  if (step === undefined || step >= original.widthPx || thumbUrl === undefined) return original.url;
  const segment = /\/\d+px-(?=[^/]*$)/;
  const { origin, pathname, search } = new URL(thumbUrl);
  if (!segment.test(pathname)) return step <= searchedStep ? thumbUrl : original.url;
  return `${origin}${pathname.replace(segment, `/${step}px-`)}${search}`;
}
