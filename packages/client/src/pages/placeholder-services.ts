/** Lists the services that exist to be replaced, or are gone. Every other host stays, whatever its name. */

/** Services of one kind, and how their URLs say what they show. */
export interface PlaceholderService {
  /** In lower case and without `www.`, parted by spaces; empty for the page's own host. */
  readonly hosts: string;
  /** Paths that name an image; the groups `w` and `h` are its sides in pixels, `words` what it shows. */
  readonly path: RegExp;
  /** Words in the query, as the group `words`, where they are not `text=`. */
  readonly query?: RegExp;
  /** Whether its URLs, those of subdomains too, are images in HTML alone: elsewhere they are links. */
  readonly isReserved?: true;
  /** Whether its images are faces, which stand for a person. */
  readonly isFace?: true;
}

const sides = (between: 'x' | '/') => String.raw`(?<w>\d{1,4})(?:${between}(?<h>\d{1,4}))?`;

/** All such services, those with URLs of one form in one row. */
export const placeholderServices: readonly PlaceholderService[] = [
  // Boxes of a colour with a text; placehold.it and placeholder.com are gone.
  {
    hosts: 'placehold.co placehold.it via.placeholder.com placeholder.com fakeimg.pl dummyimage.com',
    path: new RegExp(`^/${sides('x')}(?=[/.&@]|$)`),
  },
  // The same with the size behind the colour.
  { hosts: 'placehold.jp', path: /^\/(?:.*\/)?(?<w>\d{1,4})x(?<h>\d{1,4})(?:\.\w+)?$/ },
  // Any photo, by lot, by a number or by a seed: it has nothing to do with the page.
  {
    hosts: 'picsum.photos i.picsum.photos fastly.picsum.photos unsplash.it',
    path: new RegExp(`^(?:/g)?(?:/id/\\d+|/seed/(?<words>[^/]+))?/${sides('/')}(?:\\.\\w{3,4})?/?$`),
  },
  // Found a photo by its words; gone since 2024.
  {
    hosts: 'source.unsplash.com',
    path: /^\/(?:.*?(?<w>\d{1,4})x(?<h>\d{1,4})|category\/(?<words>[a-z]+))?/,
    query: /(?:[?&](?:q|query)=|[?&](?=[^=&#]+(?:&|#|$)))(?<words>[^=&#]+)/,
  },
  // Any photo of a category; lorempixel.com and placeimg.com are gone.
  {
    hosts: 'loremflickr.com lorempixel.com lorempixum.com placeimg.com',
    path: new RegExp(`^(?:/[a-z]+)?/${sides('/')}(?:/(?<words>[^/]+)(?:/.*)?)?/?$`),
  },
  // Any photo of a category; gone.
  { hosts: 'api.lorem.space lorem.space', path: /^\/image(?:\/(?<words>[a-z]+))?\/?$/ },
  // Any photo of an animal, of bacon or of an actor; most of them are gone.
  {
    hosts:
      'placekitten.com placebear.com placedog.net placedog.com place.dog baconmockup.com fillmurray.com placecage.com stevensegallery.com',
    path: new RegExp(`^(?:/(?:[gc]|gif))?/${sides('/')}(?=[/.]|$)`),
  },
  // Any face: a stranger stands for whom the page names.
  { hosts: 'i.pravatar.cc pravatar.cc', path: /^\/(?:(?<w>\d{1,4})\/?)?$/, isFace: true },
  // Avatars of services that are gone; the new host of DiceBear, api.dicebear.com, is not.
  {
    hosts:
      'source.boringavatars.com avatars.dicebear.com cdn.fakercloud.com joeschmoe.io uifaces.co uifaces.com',
    path: /^\/./,
    isFace: true,
  },
  // Faces that libraries for test data have written; gone.
  {
    hosts: 's3.amazonaws.com cloudflare-ipfs.com',
    path: /^\/(?:uifaces\/faces|ipfs\/Qmd3W5DuhgHirLHGVixi6V76LhCkZUz6pnFt5AJBiyvHye)\/./,
    isFace: true,
  },
  // Language models write this URL for want of another; nobody serves it.
  { hosts: 'your-image-url.com', path: /^\// },
  // Reserved by RFC 2606: no image is ever served there. Other paths are links in a text.
  {
    hosts: 'example.com example.org example.net',
    path: /\/(?<words>[^/]*)\.(?:png|jpe?g|webp|avif|gif)$/i,
    isReserved: true,
  },
  // Page generators such as v0 write these paths for an image that is to come.
  {
    hosts: '',
    path: new RegExp(
      `^(?:/placeholder\\.svg|/api/placeholder/${sides('/')}/?|(?:\\.{0,2}/)?path/to/image[\\w.-]*)$`,
    ),
    query: /[?&](?:query|text)=(?<words>[^&#]*)/,
  },
];

const servicesByHost = new Map(
  placeholderServices.flatMap((service) => service.hosts.split(' ').map((host) => [host, service] as const)),
);

/** Finds the service of a host; a reserved one has all subdomains. */
export function findService(host: string): PlaceholderService | undefined {
  const ofDomain = servicesByHost.get(host.split('.').slice(-2).join('.'));
  return servicesByHost.get(host) ?? (ofDomain?.isReserved ? ofDomain : undefined);
}
