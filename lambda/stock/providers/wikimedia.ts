/** Wikimedia Commons: free images without a key, for clients that identify themselves (https://commons.wikimedia.org/w/api.php). */

import type * as z from 'zod/mini';
import type { Orientation } from '../../images/image';
import type { StockProvider } from '../stock-provider';
import { type Subject, searchWords } from '../understand';
import { connect } from './core';
import type { ProviderSettings } from './provider-settings';
import { ofCategories, searchedStep, stepUrl } from './wire/commons';
import { type Diagnosis, parsed, type Reply } from './wire/fetch-json';
import { countField, fields, listOf, pageField, part, textField, urlField } from './wire/fields';
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
const said = ['LicenseShortName', 'LicenseUrl', 'Artist', 'ImageDescription', 'Categories'] as const;
const image = {
  ...{ action: 'query', format: 'json', formatversion: '2', prop: 'imageinfo' },
  ...{ iiprop: 'url|size|mime|extmetadata', iiurlwidth: String(searchedStep) },
  iiextmetadatafilter: said.join('|'),
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
      extmetadata: part(fields(metadata, ...said)),
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
  const ask = async (
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal,
    subject?: Subject,
  ) => {
    const answer = await request('/w/api.php', { ...image, ...parameters }, signal);
    const placeOf = (page: unknown) => Number(record(page)['index'] ?? 0);
    const pages = [...list(record(answer, 'query')['pages'])].sort((a, b) => placeOf(a) - placeOf(b));
    return candidatesOf(pages, subject);
  };
  const search = async (words: string, orientation: Orientation, subject: Subject, signal: AbortSignal) => {
    const gsrsearch = `${words} filetype:bitmap ${smallest[orientation]}`;
    // At most 50 images are scaled in one request; half of these remain after filtering.
    const generator = { generator: 'search', gsrsearch, gsrnamespace: '6', gsrlimit: '50' };
    return preferOrientation(await ask(generator, signal, subject), orientation);
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
      return (await ask({ pageids: id }, signal))[0];
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
  const { width, height, extmetadata: meta } = info ?? {};
  if (!info || !meta || !width || !height || !/^image\/(?:jpeg|png|webp)$/.test(info.mime ?? ''))
    return undefined;
  const plain = ({ value = '' }: z.output<typeof metadata>) => htmlToText(value);
  const license = commonsLicense(plain(meta.LicenseShortName), pageUrl(plain(meta.LicenseUrl)));
  const creator = nameText(plain(meta.Artist));
  const name = nameText(title?.replace(/^File:|\.\w+$/g, '')) ?? 'Image';
  return {
    ...{ id: pageid?.toString(), width, height, sourceUrl: info.url, providerName: 'Wikimedia Commons' },
    ...{ creator, landingUrl: info.descriptionurl, license, title: name, alt: plain(meta.ImageDescription) },
    creditLine: `“${name}”${creator ? ` by ${creator}` : ''}, ${license?.name}, via Wikimedia Commons`,
    ...ofCategories(plain(meta.Categories).split('|')),
    extra: info.thumburl === undefined ? undefined : { thumbUrl: info.thumburl },
  };
}
