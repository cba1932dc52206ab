/** Judges URLs by their characters alone. */

import { judgeUrl } from '../../src/pages/judge-url';

const judgeInShort = (url: string) => {
  const { reason, words, size } = judgeUrl(url, true);
  return [reason, words, size && `${size.widthPx}x${size.heightPx}`].filter(Boolean).join(' ');
};

test.each([
  ['https://placehold.co/600x400', '600x400'],
  ['https://placehold.co/600x400@2x.png', '600x400'],
  ['https://placehold.co/600?text=Calm+lake&font=x', 'Calm lake 600x600'],
  ['https://placehold.co/600x400/EEE/31343C.png?text=100%+lake', 'lake 600x400'],
  ['HTTP://WWW.PLACEHOLD.IT/350x150&text=calm-lake', 'calm lake 350x150'],
  ['//via.placeholder.com/300x200.png/09f/fff', '300x200'],
  ['https://via.placeholder.com/300/000/fff', '300x300'],
  ['http://via.placeholder.com/300/0000FF/808080?Text=calm,lake', 'calm lake 300x300'],
  ['https://www.placeholder.com/60', '60x60'],
  ['https://dummyimage.com/600x400/000/fff&text=calm+lake', 'calm lake 600x400'],
  ['https://fakeimg.pl/250x100/ff0000,128/000/?text=calm_lake', 'calm lake 250x100'],
  ['https://placehold.jp/24/cc9999/993333/150x100.png?text=%E6%B9%96', '湖 150x100'],
  ['https://picsum.photos/200', '200x200'],
  ['https://picsum.photos/200/300.webp?grayscale&blur=2', '200x300'],
  ['https://picsum.photos/seed/calm-lake/200/300', 'calm lake 200x300'],
  ['https://fastly.picsum.photos/id/237/200/300.jpg?hmac=x', '200x300'],
  ['https://unsplash.it/g/400/300?image=1074', '400x300'],
  ['https://loremflickr.com/320/240', '320x240'],
  ['https://loremflickr.com/g/320/240/calm,lake/all?lock=3', 'calm lake 320x240'],
  ['http://lorempixel.com/400/200/nature/1/Dummy-Text', 'nature 400x200'],
  ['https://api.lorem.space/image/furniture?w=150&h=220', 'furniture 150x220'],
  ['https://source.unsplash.com/random', ''],
  ['https://source.unsplash.com/?calm,lake', 'calm lake'],
  ['https://source.unsplash.com/1600x900/?calm,lake&sig=1', 'calm lake 1600x900'],
  ['https://source.unsplash.com/random/900x700?sig=1&lake', 'lake 900x700'],
  ['https://source.unsplash.com/category/buildings', 'buildings'],
  ['https://placeimg.com/640/480/nature', 'nature 640x480'],
  ['http://placebear.com/g/200/300', '200x300'],
  ['http://www.fillmurray.com/c/300/200', '300x200'],
  ['https://i.pravatar.cc/150?img=3', '150x150'],
  ['https://i.pravatar.cc/?img=3', ''],
  ['https://s3.amazonaws.com/uifaces/faces/twitter/x/128.jpg', ''],
  ['https://example.com/photos/calm-lake.jpg', 'calm lake'],
  ['//cdn.example.org/a/b.WEBP?v=1', ''],
  ['/placeholder.svg', ''],
  ['/placeholder.svg?height=40&width=60&query=calm+lake', 'calm lake 60x40'],
  ['/api/placeholder/400/320?text=lake', 'lake 400x320'],
  ['path/to/image.jpg', ''],
  ['/path/to/image-1.png', ''],
])('judgeUrl finds a placeholder in %s: %s', (url, described) => {
  expect(judgeInShort(url)).toBe(`placeholder ${described}`.trim());
});

test.each([
  ['a host that ends like one', 'https://myplacehold.co/60', 'unknown'],
  ['a host that ends like a reserved one', 'https://bestexample.com/photo.jpg', 'unknown'],
  ['a host that begins like one', 'https://placehold.co.evil.test/60', 'unknown'],
  ['a user that is named like one', 'https://placehold.co@evil.test/60', 'template'],
  ['one in a parameter', 'https://site.test/?u=https://placehold.co/60', 'unknown'],
  ['the new host of DiceBear', 'https://api.dicebear.com/7.x/initials/svg?seed=A', 'unknown'],
  ['a service that people use', 'https://robohash.org/mara.png', 'unknown'],
  ['other files of a store', 'https://s3.amazonaws.com/shop/1.jpg', 'unknown'],
  ['the address of a service', 'https://picsum.photos', 'unknown'],
  ['the same with a slash', 'https://placehold.co/', 'unknown'],
  ['its list', 'https://picsum.photos/v2/list?limit=3', 'unknown'],
  ['its data', 'https://picsum.photos/id/0/info', 'unknown'],
  ['a link in a text', 'https://example.com/docs', 'unknown'],
  ['a drawing there', 'https://example.com/logo.svg', 'unknown'],
  ['a domain that is not reserved', 'https://example.company.test/lake.jpg', 'unknown'],
  ['a file of that name elsewhere', 'https://site.test/placeholder.svg', 'unknown'],
  ['a file with that name in it', '/img/placeholder.svg.jpg', 'owner'],
  ['an own picture of that kind', '/placeholder.png', 'owner'],
  ['a route of the site', '/api/placeholder/new', 'owner'],
  ['a file', 'assets/hero.jpg', 'owner'],
  ['a data URI', 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', 'owner'],
  ['nothing', ' ', 'owner'],
  ['a hash', '#', 'owner'],
])('judgeUrl keeps %s: %s', (_about, url, reason) => {
  expect(judgeUrl(url).reason).toBe(reason);
});

test.each(
  `placehold.co/{{ size }}|placehold.co/{w}x{h}|picsum.photos/seed/\${slug}/200/300|picsum.photos/seed/$slug/200/300
placehold.co/60?text=<%= title %>|placehold.co/60?text=@Model.Title|placehold.co/60?text=#{title}|placehold.co/60?text=%TITLE%
placehold.co/60?text=%DATE%|placehold.co/%sx%s|placehold.co/[WIDTH]x400|placehold.co/60?text=%7B%7Btitle%7D%7D`.split(
    /[|\n]/,
  ),
)('judgeUrl finds a template in https://%s', (url) => {
  expect(judgeUrl(`https://${url}`).reason).toBe('template');
});

test.each([
  ['https://images.unsplash.com/photo-1501785888041-af3ef285b470?w=800&h=600', 'stock 800x600'],
  ['https://images.unsplash.com/reserve/LJIZlzHgQ7WPSh5KVTCB_Typewriter.jpg', 'stock'],
  ['https://images.unsplash.com/premium_photo-1675', 'stock'],
  ['https://plus.unsplash.com/premium_photo-1661', 'stock'],
  ['https://images.pexels.com/photos/36764/marguerite-daisy-beautiful-beauty.jpg', 'stock'],
  ['https://cdn.pixabay.com/photo/2016/08/08/09/17/avatar-1577909_960_720.png', 'stock'],
  ['https://cdn.pixabay.com/photo/2021/08/25/20/42/field-6574455__480.jpg', 'stock'],
  ['https://images.unsplash.com/photo-1501785888041-af3ef285b47', 'invented'],
  ['https://images.unsplash.com/photo-1501785888041-af3ef285b47g?w=9', 'invented'],
  ['https://images.unsplash.com/photo-mountain-lake', 'invented'],
])('judgeUrl judges %s as %s', (url, judgement) => {
  expect(judgeInShort(url)).toBe(judgement);
});

test.each([
  ['/60', 'placehold.it placeholder.com i.pravatar.cc pravatar.cc source.boringavatars.com'],
  ['/60', 'avatars.dicebear.com cdn.fakercloud.com joeschmoe.io uifaces.co uifaces.com your-image-url.com'],
  ['/60/40', 'i.picsum.photos lorempixum.com placekitten.com placebear.com placedog.net placedog.com'],
  ['/60/40', 'place.dog baconmockup.com fillmurray.com placecage.com stevensegallery.com'],
  ['/image', 'lorem.space'],
  ['/a.jpeg', 'example.org example.net a.b.example.net'],
  ['/ipfs/Qmd3W5DuhgHirLHGVixi6V76LhCkZUz6pnFt5AJBiyvHye/1.jpg', 'cloudflare-ipfs.com'],
])('judgeUrl finds placeholders with the path %s at %s', (path, hosts) => {
  for (const host of hosts.split(' '))
    expect([host, judgeUrl(`https://${host}${path}`).reason]).toEqual([host, 'placeholder']);
});
