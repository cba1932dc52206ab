/** Tests the URLs of one image: the size of `src`, and the widths of `srcset`. */

import { type UrlCredential, writeImageUrl, writeImageUrls } from '../../lambda/pages/image-urls';
import { makeStockRequest } from '../fakes/values';

const root = 'https://img.example';
const signing = { signerId: 'sg_live_0123456789ab' as never, key: new Uint8Array(32) };
const accountCredential = { kind: 'signed', signing, isByService: true } as const;
const makeRequest = (widthPx: number, heightPx: number) => makeStockRequest('lake', { widthPx, heightPx });

/** The sizes of a `srcset`, in its order. */
function parseSizes(srcset: string): readonly string[] {
  return srcset.split(', ').map((candidate) => {
    const [url = '', width] = candidate.split(' ');
    const { searchParams } = new URL(url);
    expect(`${searchParams.get('width')}w`).toBe(width);
    return `${searchParams.get('width')}x${searchParams.get('height')}`;
  });
}

describe('src of writeImageUrls', () => {
  test.each<[string, number, number, string, string | undefined]>([
    ['of the list', 1_200, 800, '1200x800', '2400x1600'],
    ['between two of the list', 600, 400, '640x427', '1200x800'],
    ['above half of the largest side', 3_000, 1_500, '3200x1600', '4000x2000'],
    ['higher than wide, above half', 1_500, 3_000, '1600x3200', '2000x4000'],
    ['above all of the list', 4_000, 3_000, '3840x2880', '4000x3000'],
    ['twice of which is in the list', 128, 100, '128x100', '256x200'],
    ['with one usable width, below it', 192, 4_000, '128x2667', '192x4000'],
    ['whose ratio the smallest width has', 3_200, 100, '3200x100', '4000x125'],
    ['whose ratio the smallest width lacks', 100, 4_000, '100x4000', undefined],
  ])(
    'a size of %s becomes a usual width that is signed for up to twice of it',
    (_, widthPx, heightPx, size, signUpto) => {
      const { searchParams } = new URL(
        writeImageUrls(root, makeRequest(widthPx, heightPx), accountCredential).src,
      );
      const [shown, signed] = [['width', 'height'], ['upto']].map((names) =>
        names.map((name) => searchParams.get(name)).join('x'),
      );
      expect([shown, signed]).toEqual([size, signUpto ?? '']);
    },
  );

  test.each<[string, UrlCredential | undefined]>([
    ['without a credential', undefined],
    ['with a site key', { kind: 'site', key: 'site_live_x' }],
    ['with a signature of its own', { kind: 'signed', signing }],
  ])('a size %s stays unchanged', (_, credential) => {
    const { src } = writeImageUrls(root, makeRequest(600, 400), credential);
    expect(src).toBe(writeImageUrl(root, makeRequest(600, 400), credential));
  });
});

const makeUptoCredential = (size: string) => ({ kind: 'signed', signing, upto: size }) as const;
const siteCredential = { kind: 'site', key: 'site_live_x' } as const;

describe('srcset of writeImageUrls', () => {
  test.each<[string, string, UrlCredential | undefined, string]>([
    ['of everybody', '640x480', undefined, '480x360 640x480 828x621 1080x810 1280x960'],
    ['of a site', '240x100', siteCredential, '240x100 480x200'],
    ['of which a side would be too long', '1000x3900', undefined, '480x1872 640x2496 828x3229 1000x3900'],
    [
      'of which a side would be too short',
      '1280x200',
      undefined,
      '640x100 828x129 1080x169 1280x200 1920x300 2560x400',
    ],
    ['up to the longest side', '640x4000', undefined, '480x3000 640x4000'],
    ['signed with upto', '640x427', makeUptoCredential('1200x800'), '480x320 640x427 828x552 1080x720'],
    [
      'signed with a usual upto',
      '640x320',
      makeUptoCredential('1280x640'),
      '480x240 640x320 828x414 1080x540 1280x640',
    ],
    [
      'signed with upto above twice the size',
      '480x320',
      makeUptoCredential('2400x1600'),
      '480x320 640x427 828x552',
    ],
    ['signed for one size', '1080x1080', { kind: 'signed', signing }, '480x480 640x640 828x828 1080x1080'],
    ['signed for one unusual size', '700x350', { kind: 'signed', signing }, '480x240 640x320 700x350'],
    ['signed for a low size', '640x110', makeUptoCredential('1280x220'), '640x110 828x142 1080x186 1280x220'],
  ])('the widths %s are usual and within what was signed', (_, size, credential, sizes) => {
    const [widthPx = 0, heightPx = 0] = size.split('x').map(Number);
    expect(
      parseSizes(writeImageUrls(root, makeRequest(widthPx, heightPx), credential).srcset).join(' '),
    ).toBe(sizes);
  });

  test('the URLs of a srcset name the credential of the src', () => {
    const parseFirstUrl = (credential?: UrlCredential) =>
      new URL(writeImageUrls(root, makeRequest(640, 427), credential).srcset.split(' ')[0] ?? '')
        .searchParams;
    expect(parseFirstUrl(siteCredential).get('site')).toBe('site_live_x');
    expect(parseFirstUrl(makeUptoCredential('1200x800')).get('upto')).toBe('1200x800');
    expect(parseFirstUrl({ kind: 'signed', signing }).get('upto')).toBe('640x427');
    expect(parseFirstUrl().has('upto')).toBe(false);
    const onlySrcset = writeImageUrls(root, makeRequest(100, 4_000), { kind: 'signed', signing }).srcset;
    expect(new URL(onlySrcset.split(' ')[0] ?? '').searchParams.has('upto')).toBe(false);
  });
});
