/** Tests the record of an image: facts, URLs of the usual widths, and markup that is safe to insert. */

import fc from 'fast-check';
import { dayMs } from '../../lambda/base/window';
import { reliedOnDays, renditionTtlDays } from '../../lambda/contract/image-paths';
import type { ServedImage } from '../../lambda/images/image';
import { makeImageRecord } from '../../lambda/pages/image-record';
import type { ImageRequest } from '../../lambda/requests/image-request';
import { parsePage } from '../../packages/client/src/pages/page';
import { codePoint } from '../fakes/code-point';
import {
  aiRequest,
  makeDeliveryUrl,
  servedImage,
  makeStockRequest as stockRequest,
  webpPlaceholder,
} from '../fakes/values';
import { parseAtSize } from '../requests/raw-request';

const rootUrl = 'https://img.example';
const request = stockRequest('mountain lake', { widthPx: 1200, heightPx: 800, asJson: true });
const imageBaseUrl = 'https://cdn.example';
const nowMs = Date.UTC(2026, 10, 21);
const context = { cache: 'MISS', request, rootUrl, imageBaseUrl, nowMs } as const;

const parseSrcset = (srcset: string | null) =>
  (srcset ?? '').split(', ').map((candidate) => candidate.split(' ') as [string, string]);

describe('makeImageRecord', () => {
  const file = makeDeliveryUrl(`${imageBaseUrl}/stock/a.jpg`);
  test.each<[what: string, image: Partial<ServedImage>, expiresAt: string | null]>([
    ['a file of the service', { location: file }, '2026-11-30T00:00:00Z'],
    [
      'a file whose signature ends first',
      { location: file, locationEndsMs: nowMs + 3_600_000 },
      '2026-11-21T01:00:00Z',
    ],
    ['a file, not the choice', { location: file, answerEndsMs: nowMs }, '2026-11-30T00:00:00Z'],
    ['a provider’s URL, which has none', {}, null],
  ])('a record states the end of its url: %s', (_, image, expiresAt) => {
    expect(makeImageRecord({ ...servedImage, ...image }, context)).toMatchObject({ expiresAt });
  });

  test('a rendition that was read a day ago still outlives the expiresAt of its record', () => {
    const { expiresAt } = makeImageRecord({ ...servedImage, location: file }, context);
    const lastReadMs = nowMs - dayMs;
    // Younger, it was not renewed; older, it was.
    const storedMs = lastReadMs - (renditionTtlDays - reliedOnDays) * dayMs;
    expect(storedMs + renditionTtlDays * dayMs).toBeGreaterThanOrEqual(Date.parse(String(expiresAt)));
  });

  test('a record has the language of its alt text', () => {
    const named = { ...request, filters: { lang: 'pt-br' } };
    const { alt: _, ...undescribed } = { alt: undefined, ...servedImage };
    const getAltLang = (image: typeof servedImage, imageRequest: ImageRequest) =>
      makeImageRecord(image, { ...context, request: imageRequest }).altLang;
    expect(getAltLang({ ...servedImage, alt: 'A lake', altLang: 'en' }, named)).toBe('en');
    expect(getAltLang({ ...servedImage, alt: 'Um lago' }, named)).toBeNull();
    expect(getAltLang(undescribed, named)).toBe('pt-br');
    expect(getAltLang(undescribed, request)).toBeNull();
  });

  test('a field that the source does not know is null', () => {
    const image = {
      ...servedImage,
      alt: 'A lake',
      title: 'Lake',
      color: '#000000',
      pick: 'p1',
      fit: 'exact' as const,
      placeholder: webpPlaceholder,
    };
    const { dataUri } = webpPlaceholder;
    expect(makeImageRecord(image, context)).toMatchObject({
      alt: 'A lake',
      title: 'Lake',
      color: webpPlaceholder.color,
      pick: 'p1',
      fit: 'exact',
      fallback: null,
      placeholder: { dataUri },
    });
    const { request: _, ...permalink } = context;
    expect(makeImageRecord(servedImage, permalink)).toMatchObject({
      title: null,
      color: null,
      pick: null,
      fit: null,
      fallback: null,
      placeholder: null,
      srcset: null,
      expiresAt: null,
    });
    expect(makeImageRecord(servedImage, context).alt).toBe('mountain lake');
    const ofPick = { ...context, request: { ...request, query: '' } };
    expect(makeImageRecord(servedImage, ofPick).alt).toBe('Image from Openverse');
    expect(makeImageRecord({ ...servedImage, source: 'ai' }, ofPick).alt).toBe('AI-generated image');
  });

  test('a record offers the usual widths of its image up to twice the requested size', () => {
    const { srcset } = makeImageRecord(servedImage, context);
    const widths = parseSrcset(srcset).map(([url, width]) => [parseAtSize(url), width] as const);
    expect(widths.map(([, width]) => width)).toEqual(
      [480, 640, 828, 1080, 1200, 1280, 1920].map((width) => `${width}w`),
    );
    for (const [found, width] of widths) {
      const widthPx = Number.parseInt(width, 10);
      expect(found).toEqual({ ...request, asJson: false, widthPx, heightPx: Math.round((widthPx * 2) / 3) });
    }
  });

  test('the record of an AI image has markup only with a signer', () => {
    const aiImage: ServedImage = { ...servedImage, source: 'ai' };
    const aiContext = { ...context, request: aiRequest };
    const note = expect.stringContaining('Not published');
    const unsigned = { src: null, srcset: null, html: null, aiGenerated: true, note };
    expect(makeImageRecord(aiImage, aiContext)).toMatchObject(unsigned);
    const signing = { signerId: 'sg_live_0123456789ab', key: Buffer.alloc(32) };
    const urlAccess = { credential: { kind: 'signed', signing }, note: null } as const;
    const { html } = makeImageRecord(aiImage, { ...aiContext, urlAccess });
    expect(html).toMatch(/<img [^>]*data-ai-generated="true"/);
  });

  test('markup of a stock image does not say that the image is AI-generated', () => {
    expect(makeImageRecord(servedImage, context)).toMatchObject({
      aiGenerated: false,
      html: expect.not.stringContaining('data-ai-generated'),
    });
  });

  test('the markup shows the linked credit line if the licence asks for it', () => {
    const writeHtmlForLicense = (id: string) =>
      makeImageRecord(
        { ...servedImage, attribution: { ...servedImage.attribution, license: { id, name: id } } },
        context,
      ).html;
    expect(writeHtmlForLicense('cc-by-4.0')).toContain('<figcaption><a href="https://example.org/zoe/1"');
    expect(writeHtmlForLicense('unsplash')).toContain('<figcaption>');
    for (const id of ['cc0-1.0', 'pexels', 'public-domain', 'ai-generated'])
      expect(writeHtmlForLicense(id)).toMatch(/^<img [^>]*>$/);
  });

  const creditFreeImage = {
    ...servedImage,
    attribution: { ...servedImage.attribution, license: { id: 'cc0-1.0', name: 'CC0' } },
  };
  test.each([
    [
      'a placeholder',
      { placeholder: webpPlaceholder, color: '#000000' },
      `;background:url(${webpPlaceholder.dataUri}) center/cover no-repeat`,
    ],
    ['a colour', { color: '#000000' }, ';background:#000000'],
    ['neither', {}, ''],
  ])('the markup of an image with %s loads late and reserves its place', (_, change, background) => {
    const size = { widthPx: 1_200, heightPx: 800 };
    const { html, src, srcset } = makeImageRecord({ ...creditFreeImage, ...size, ...change }, context);
    const escapeUrl = (text: string | null) => text?.replaceAll('&', '&#38;');
    expect(html).toBe(
      `<img src="${escapeUrl(src)}" srcset="${escapeUrl(srcset)}" sizes="(min-width: 1200px) 1200px, 100vw" width="1200" height="800" alt="mountain lake" loading="lazy" decoding="async" style="max-width:100%;height:auto${background}">`,
    );
  });

  test('the record of a permalink has a src by its pick', () => {
    const { request: _, ...permalink } = context;
    const record = makeImageRecord({ ...creditFreeImage, source: 'ai' }, permalink);
    expect(record).toMatchObject({ alt: 'AI-generated image', src: null, html: null });
    const { src } = makeImageRecord(
      { ...creditFreeImage, widthPx: 600, heightPx: 400, pick: 'p1' },
      permalink,
    );
    expect(src).toBe(`${rootUrl}/api/image?width=600&height=400&pick=p1`);
  });

  test.each([
    ['one image', 1, 'The query has 1 image: higher seeds start over; '],
    ['seven images', 7, 'The query has 7 images: higher seeds start over; '],
    ['enough images', undefined, ''],
  ])('the note tells where seeds start over: %s', (_, seedsStartOverAfter, note) => {
    const image = { ...creditFreeImage, ...(seedsStartOverAfter !== undefined && { seedsStartOverAfter }) };
    expect(makeImageRecord(image, context).note).toBe(
      `${note}The URLs carry no credential: they count against the limit of callers without a key. With an API key, they are published.`,
    );
    const urlAccess = {
      credential: { kind: 'site', key: 'site_live_x' },
      note: null,
    } as const;
    expect(makeImageRecord(image, { ...context, urlAccess })).toMatchObject({
      note: note.replace('; ', '') || null,
      src: expect.stringMatching(/&site=site_live_x$/),
    });
  });

  test('a record has the id and the label of an AI image', () => {
    expect(makeImageRecord(creditFreeImage, context)).toMatchObject({ imageId: null });
    expect(makeImageRecord({ ...creditFreeImage, imageId: 'i1', label: 'corner' }, context)).toMatchObject({
      imageId: 'i1',
      src: expect.stringContaining('label=corner'),
    });
  });

  test('the markup drops control characters and links to anything but web pages', () => {
    const writeHtmlForCredit = (creditLine: string, landingUrl: string) =>
      makeImageRecord(
        { ...servedImage, attribution: { ...servedImage.attribution, creditLine, landingUrl } },
        context,
      ).html;
    expect(writeHtmlForCredit('a\u0000b\u001fc\u007fd\u009fe f~<', 'http://a.example/x')).toContain(
      '<figcaption><a href="http://a.example/x" rel="noopener">a b c d e f~&#60;</a></figcaption>',
    );
    for (const link of ['xhttps://a.example', 'https+x://a.example', 'javascript:1', 'nothing'])
      expect(writeHtmlForCredit('a', link)).toContain('<figcaption>a</figcaption>');
  });

  test('for every text of a provider, the markup of a record is one figure or one img', () => {
    const hostileText = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.constantFrom(
        '"><script>alert(1)</script>',
        "' onload='x",
        '</figcaption><img src=x onerror=y>',
        '`<!--',
        '{{7*7}} @Model.Key',
      ),
    );
    const link = fc.oneof(
      hostileText,
      fc.constantFrom('javascript:alert(1)', 'data:text/html,x', 'https://a.example/"><b>'),
    );
    fc.assert(
      fc.property(hostileText, hostileText, link, hostileText, (alt, creditLine, landingUrl, query) => {
        const image = {
          ...servedImage,
          alt,
          location: makeDeliveryUrl('https://images.example.org/"><b>'),
          attribution: { ...servedImage.attribution, creditLine, landingUrl },
        };
        const record = makeImageRecord(image, {
          ...context,
          request: { ...request, query: query.toWellFormed() },
        });
        const html = record.html ?? '';
        expect(html).not.toMatch(/[@{}]/);
        const elements = parsePage(html).elements.map(
          ({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join(',')}`,
        );
        const tags = elements.filter((tag) => !tag.startsWith('a '));
        expect(tags).toEqual([
          'figure ',
          'img src,srcset,sizes,width,height,alt,loading,decoding,style',
          'figcaption ',
        ]);
        const href = /<a href="([^"]*)"/.exec(html)?.[1];
        if (href !== undefined) expect(href).toMatch(/^https?:/);
      }),
    );
  });
});
