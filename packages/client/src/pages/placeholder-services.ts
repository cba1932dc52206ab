/**
 * The services that exist to be replaced, or that are gone: what a URL of theirs shows is nobody's own image. A host that
 * is not in this list is the page's owner's, whatever its name. A new row needs its reason.
 */

/** A service, and how its URLs say what they show. */
export interface PlaceholderService {
  /** In lower case and without `www.`; none for a path of the page's own host. */
  readonly hosts: readonly string[];
  /** Also hosts below these. */
  readonly isDomain?: true;
  /** Paths that name an image; the groups `w` and `h` are its sides in pixels, `words` what it shows. */
  readonly path: RegExp;
  /** What its query says: words as the group `words`, for services that say them there and not in `text=`. */
  readonly query?: RegExp;
  /** Whether the query states the size, as `width=` and `height=` or `w=` and `h=`. */
  readonly hasSizeInQuery?: true;
  /** Whether its URLs stand for images in HTML only: elsewhere they are links of a text. */
  readonly isInHtmlOnly?: true;
  /** Whether its images are faces, which stand for a person. */
  readonly isFace?: true;
  readonly reason: string;
}

/** `/600/400`, `/600`, behind `/g` for grey; nothing else. */
const sides = /^(?:\/[gc])?\/(?<w>\d{1,4})(?:\/(?<h>\d{1,4}))?(?:\.\w{3,4})?\/?$/;
/** `/600x400` and what follows: colours, a format, a text. */
const firstSides = /^\/(?<w>\d{1,4})(?:x(?<h>\d{1,4}))?(?=[/.&@]|$)/;
const anyFile = /^\/./;

export const placeholderServices: readonly PlaceholderService[] = [
  {
    hosts: ['placehold.co'],
    path: firstSides,
    reason: 'Draws boxes of a colour with a text.',
  },
  {
    hosts: ['placehold.it'],
    path: firstSides,
    reason: 'Drew boxes of a colour; gone.',
  },
  {
    hosts: ['placeholdit.imgix.net'],
    path: /^\/~text$/,
    query: /[?&]txt=(?<words>[^&#]*)/,
    hasSizeInQuery: true,
    reason: 'What placehold.it redirected to; gone.',
  },
  {
    hosts: ['via.placeholder.com', 'placeholder.com'],
    path: firstSides,
    reason: 'Drew boxes of a colour; gone.',
  },
  {
    hosts: ['dummyimage.com'],
    path: /^\/(?:(?<w>\d{1,4})(?:[x:](?<h>\d{1,4}))?(?=[/.&]|$)|[a-z]{2,}\d*(?=[/.&]|$))/,
    reason: 'Draws boxes of a colour with a text.',
  },
  {
    hosts: ['fakeimg.pl'],
    path: firstSides,
    reason: 'Draws boxes of a colour with a text.',
  },
  {
    hosts: ['placehold.jp'],
    path: /^\/(?:[^?]*\/)?(?<w>\d{1,4})x(?<h>\d{1,4})(?:\.\w+)?$/,
    reason: 'Draws boxes of a colour with a text.',
  },
  {
    hosts: ['picsum.photos', 'i.picsum.photos', 'fastly.picsum.photos'],
    path: /^(?:\/g)?(?:\/id\/\d+|\/seed\/(?<words>[^/]+))?\/(?<w>\d{1,4})(?:\/(?<h>\d{1,4}))?(?:\.\w{3,4})?\/?$/,
    reason: 'Any photo, by lot, by a number or by a seed: it has nothing to do with the page.',
  },
  {
    hosts: ['unsplash.it'],
    path: sides,
    reason: 'The old name of picsum.photos.',
  },
  {
    hosts: ['source.unsplash.com'],
    path: /^\/(?:.*?(?<w>\d{1,4})x(?<h>\d{1,4})|category\/(?<words>[a-z]+))?/,
    query: /(?:[?&](?:q|query)=|[?&](?=[^=&#]+(?:&|#|$)))(?<words>[^=&#]+)/,
    reason: 'Found a photo by its words; gone since 2024.',
  },
  {
    hosts: ['loremflickr.com'],
    path: /^(?:\/(?:g|p|red|green|blue))?\/(?<w>\d{1,4})(?:\/(?<h>\d{1,4}))?(?:\/(?<words>[^/]+)(?:\/(?:all|any))?)?\/?$/,
    reason: 'Any photo for a tag.',
  },
  {
    hosts: ['lorempixel.com', 'lorempixum.com'],
    path: /^(?:\/g)?\/(?<w>\d{1,4})\/(?<h>\d{1,4})(?:\/(?<words>[a-z]+)(?:\/.*)?)?\/?$/,
    reason: 'Any photo of a category; gone.',
  },
  {
    hosts: ['api.lorem.space', 'lorem.space'],
    path: /^\/image(?:\/(?<words>[a-z]+))?\/?$/,
    hasSizeInQuery: true,
    reason: 'Any photo of a category; gone.',
  },
  {
    hosts: ['placeimg.com'],
    path: /^\/(?<w>\d{1,4})\/(?<h>\d{1,4})(?:\/(?<words>[a-z]+)(?:\/[a-z]+)?)?\/?$/,
    reason: 'Any photo of a category; gone since 2023.',
  },
  { hosts: ['placekitten.com'], path: sides, reason: 'Any photo of a kitten; gone.' },
  { hosts: ['placebear.com'], path: sides, reason: 'Any photo of a bear.' },
  {
    hosts: ['placedog.net', 'placedog.com', 'place.dog'],
    path: /^(?:\/g)?\/(?<w>\d{1,4})(?:\/(?<h>\d{1,4}))?(?:\/.*)?$/,
    reason: 'Any photo of a dog.',
  },
  { hosts: ['baconmockup.com'], path: sides, reason: 'Any photo of bacon; gone.' },
  {
    hosts: ['fillmurray.com', 'placecage.com', 'stevensegallery.com'],
    path: /^(?:\/(?:[gc]|gif))?\/(?<w>\d{1,4})(?:\/(?<h>\d{1,4}))?\/?$/,
    reason: 'Photos of an actor; gone.',
  },
  {
    hosts: ['i.pravatar.cc', 'pravatar.cc'],
    path: /^\/(?:(?<w>\d{1,4})\/?)?$/,
    isFace: true,
    reason: 'Any face: a stranger stands for whom the page names.',
  },
  {
    hosts: ['source.boringavatars.com'],
    path: /^\/(?:[a-z]+\/?)?(?:(?<w>\d{1,4})\/?)?(?<words>[^/]+)?$/,
    isFace: true,
    reason: 'Drew an avatar for a name; gone.',
  },
  {
    hosts: ['avatars.dicebear.com'],
    path: /^\/.+\.(?:svg|png)$/,
    isFace: true,
    reason: 'The old host of DiceBear, which is gone; api.dicebear.com is not.',
  },
  {
    hosts: ['cdn.fakercloud.com'],
    path: /^\/avatars\/./,
    isFace: true,
    reason: 'Avatars of a test data library; gone.',
  },
  {
    hosts: ['cloudflare-ipfs.com'],
    path: /^\/ipfs\/Qmd3W5DuhgHirLHGVixi6V76LhCkZUz6pnFt5AJBiyvHye\/./,
    isFace: true,
    reason: 'Avatars of a test data library, behind a gateway that is gone since 2024.',
  },
  {
    hosts: ['s3.amazonaws.com'],
    path: /^\/uifaces\/faces\/./,
    isFace: true,
    reason: 'Faces for mock-ups; gone.',
  },
  { hosts: ['uifaces.co', 'uifaces.com'], path: anyFile, isFace: true, reason: 'Faces for mock-ups; gone.' },
  {
    hosts: ['joeschmoe.io'],
    path: /^\/api\/v1\/./,
    isFace: true,
    reason: 'Drew an avatar for a name; gone.',
  },
  {
    hosts: ['your-image-url.com'],
    path: /^\//,
    reason: 'What models write where a URL belongs; nobody serves it.',
  },
  {
    hosts: ['example.com', 'example.org', 'example.net'],
    isDomain: true,
    path: /\/(?<words>[^/]*)\.(?:png|jpe?g|webp|avif|gif)$/i,
    isInHtmlOnly: true,
    reason: 'Reserved by RFC 2606: no image is ever served there. Other paths are links in a text.',
  },
  {
    hosts: [],
    path: /^\/placeholder\.svg$/,
    query: /[?&](?:query|text)=(?<words>[^&#]*)/,
    hasSizeInQuery: true,
    reason: 'What v0 and others write for an image that is to come.',
  },
  {
    hosts: [],
    path: /^\/api\/placeholder\/(?<w>\d{1,4})(?:\/(?<h>\d{1,4}))?\/?$/,
    reason: 'What models write in artifacts for an image that is to come.',
  },
  {
    hosts: [],
    path: /^(?:\.{0,2}\/)?path\/to\/image(?:[\w.-]*)$/,
    reason: 'What models write where a path belongs.',
  },
];
