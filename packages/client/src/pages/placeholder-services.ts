/** The services of placeholders, and services that are gone. URLs of all other hosts stay. */

/** Services with URLs of one form. */
export interface PlaceholderService {
  /** In lower case, without `www.`, separated by spaces. Empty for the page's own host. */
  readonly hosts: string;
  /** Matches paths of images. The groups `w` and `h` are the sides in pixels; `words` says what it shows. */
  readonly path: RegExp;
  /** Matches the query. The group `words` says what the image shows; by default it is the value of `text`. */
  readonly query?: RegExp;
  /** True if its URLs and those of its subdomains are images only in HTML. In other files they are links. */
  readonly isReserved?: true;
  readonly isFace?: true;
}

const writeSize = (between: 'x' | '/') => String.raw`(?<w>\d{1,4})(?:${between}(?<h>\d{1,4}))?`;

const placeholderServices: readonly PlaceholderService[] = [
  // They draw a box of a colour with a text. placehold.it and placeholder.com are gone.
  {
    hosts: 'placehold.co placehold.it via.placeholder.com placeholder.com fakeimg.pl dummyimage.com',
    path: new RegExp(`^/${writeSize('x')}(?=[/.&@]|$)`),
  },
  // It draws a box too, but the size stands behind the colour.
  { hosts: 'placehold.jp', path: /^\/(?:.*\/)?(?<w>\d{1,4})x(?<h>\d{1,4})(?:\.\w+)?$/ },
  // They show any photo, at random, by number or by seed. The photo has nothing to do with the page.
  {
    hosts: 'picsum.photos i.picsum.photos fastly.picsum.photos unsplash.it',
    path: new RegExp(`^(?:/g)?(?:/id/\\d+|/seed/(?<words>[^/]+))?/${writeSize('/')}(?:\\.\\w{3,4})?/?$`),
  },
  // It found a photo by words. It is gone since 2024.
  {
    hosts: 'source.unsplash.com',
    path: /^\/(?:.*?(?<w>\d{1,4})x(?<h>\d{1,4})|category\/(?<words>[a-z]+))?/,
    query: /(?:[?&](?:q|query)=|[?&](?=[^=&#]+(?:&|#|$)))(?<words>[^=&#]+)/,
  },
  // They show any photo of a category. lorempixel.com and placeimg.com are gone.
  {
    hosts: 'loremflickr.com lorempixel.com lorempixum.com placeimg.com',
    path: new RegExp(`^(?:/[a-z]+)?/${writeSize('/')}(?:/(?<words>[^/]+)(?:/.*)?)?/?$`),
  },
  // It showed any photo of a category. It is gone.
  { hosts: 'api.lorem.space lorem.space', path: /^\/image(?:\/(?<words>[a-z]+))?\/?$/ },
  // They show any photo of an animal, of bacon or of an actor. Most of them are gone.
  {
    hosts:
      'placekitten.com placebear.com placedog.net placedog.com place.dog baconmockup.com fillmurray.com placecage.com stevensegallery.com',
    path: new RegExp(`^(?:/(?:[gc]|gif))?/${writeSize('/')}(?=[/.]|$)`),
  },
  // They show any face, so a stranger stands for the person that the page names.
  { hosts: 'i.pravatar.cc pravatar.cc', path: /^\/(?:(?<w>\d{1,4})\/?)?$/, isFace: true },
  // These services of avatars are gone. The new host of DiceBear, api.dicebear.com, is not.
  {
    hosts:
      'source.boringavatars.com avatars.dicebear.com cdn.fakercloud.com joeschmoe.io uifaces.co uifaces.com',
    path: /^\/./,
    isFace: true,
  },
  // Libraries for test data have written the URLs of these faces. The faces are gone.
  {
    hosts: 's3.amazonaws.com cloudflare-ipfs.com',
    path: /^\/(?:uifaces\/faces|ipfs\/Qmd3W5DuhgHirLHGVixi6V76LhCkZUz6pnFt5AJBiyvHye)\/./,
    isFace: true,
  },
  // Language models write this URL when they know no other. No host serves it.
  { hosts: 'your-image-url.com', path: /^\// },
  // RFC 2606 reserves these hosts, so they serve no image. Other paths are links in a text.
  {
    hosts: 'example.com example.org example.net',
    path: /\/(?<words>[^/]*)\.(?:png|jpe?g|webp|avif|gif)$/i,
    isReserved: true,
  },
  // Page generators such as v0 write these paths for an image that is still missing.
  {
    hosts: '',
    path: new RegExp(
      `^(?:/placeholder\\.svg|/api/placeholder/${writeSize('/')}/?|(?:\\.{0,2}/)?path/to/image[\\w.-]*)$`,
    ),
    query: /[?&](?:query|text)=(?<words>[^&#]*)/,
  },
];

const servicesByHost = new Map(
  placeholderServices.flatMap((service) => service.hosts.split(' ').map((host) => [host, service] as const)),
);

/** Finds the service of a host. Subdomains belong to a reserved service only. */
export function findService(host: string): PlaceholderService | undefined {
  const domainService = servicesByHost.get(host.split('.').slice(-2).join('.'));
  return servicesByHost.get(host) ?? (domainService?.isReserved ? domainService : undefined);
}
