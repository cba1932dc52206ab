/** Tests that an ejected site needs no service, and that its other bytes stay. */

import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { eject } from '../../src/command/eject';
import { UsageError } from '../../src/command/inputs';
import { record } from '../record';
import { serveInFolder, write } from './in-folder';

const unsplash = 'https://images.unsplash.com/photo-1?ixid=a&w=300';
let attributions: Record<string, object> = {};
let mediaType = '';
const site = serveInFolder((_request, response, { href, pathname, searchParams }, nextStatus) => {
  if (!pathname.startsWith('/api/image')) {
    site.requests.pop();
    return void response.writeHead(200, { 'content-type': mediaType }).end(`bytes of ${pathname}`);
  }
  const words = searchParams.get('query') ?? decodeURIComponent(pathname.replace(/.*\/(?:\d+x\d+-)?/, ''));
  const isRead = searchParams.get('format') === 'json' && words !== '' && !/[{}]/.test(words);
  const status = nextStatus ?? (isRead ? (words === 'none' ? 404 : 200) : 400);
  const isLink = words === 'unsplash';
  const license = isLink ? { id: 'unsplash', name: 'Unsplash License' } : record.attribution.license;
  const landingUrl = `https://photos.test/${words}`;
  const body = {
    ...{ url: isLink ? unsplash : new URL(`/files/${encodeURIComponent(words)}`, href).href },
    ...{ width: 600, height: 400, fallback: words === 'gone' ? 'gone' : null },
    attribution: attributions[words] ?? { ...record.attribution, license, landingUrl },
  };
  const problem = { code: 'no_image_found', detail: 'Nothing matches.' };
  response.writeHead(status).end(JSON.stringify(status === 404 ? problem : body));
});
beforeEach(() => {
  [attributions, mediaType] = [{}, 'image/webp; v=1'];
});

const makeUrl = (ending = '') => `${site.base}/api/image${ending}`;
const writeImg = (ending: string) => `<img src="${makeUrl(ending)}">`;
const readEjected = (name: string) => readFileSync(join('alone', name), 'utf8');
const run = (...options: string[]) => eject(['site', '--out', 'alone', ...options]);
/** Files of images, by what the service was asked for. */
const listImages = () =>
  Object.fromEntries(
    readdirSync('alone/images').map((name) => [
      decodeURIComponent(readFileSync(join('alone/images', name), 'utf8').replace('bytes of /files/', '')),
      `images/${name}`,
    ]),
  );

/** Each row has a file with URLs «AT…» of the service, and the path of the image that replaces them. */
test.each([
  ['a.html', '<img src="«AT?query=lake&amp;width=600»">', 'FILE'],
  ['a.html', '<img src="«AT?query=lake&width=600» " alt="a b">', 'FILE'],
  ['a.html', '<img src=«AT/600x400-lake» alt=a>', 'FILE'],
  ['a.html', "<img src='«AT?query=lake&#38;width=6&#x26;seed=2»'>", 'FILE'],
  ['a.html', '<img src="«NO_SCHEME/600x400-lake»">', 'FILE'],
  ['a.html', '<img src="«CAPITALS/600x400-lake»">', 'FILE'],
  ['a.html', '<img src="«AT/600x400-lake»#top">', 'FILE'],
  ['a.html', '<source srcset="«AT/300x200-lake» 300w,\n «AT/600x400-lake» 2x">', 'FILE'],
  ['a.html', '<p style="color:red;background:url(&quot;«AT/600x400-lake»&quot;)">', 'FILE'],
  ['a.html', '<style>p{background:url(«AT?query=lake&width=600»)}</style>', 'FILE'],
  ['a.html', `<p x-data='{"a":"«AT?query=lake&amp;width=600»","b":1}'>`, 'FILE'],
  ['a.html', "<script>a.src = '«AT?query=lake&width=600»' ; b()</script>", 'FILE'],
  ['a.html', '<p><a href="«AT/600x400-lake»">a<p>b<div>c', 'FILE'],
  ['a.html', '<noscript><img src="«AT/600x400-lake»"></noscript>', 'FILE'],
  ['a.html', '<template><img src="«AT/600x400-lake»"></template>', 'FILE'],
  ['a.html', '<script type="application/json">{"a":"«ESCAPED_AT\\/600x400-lake»"}</script>', 'ESCAPED'],
  ['a/b/c.htm', '<img src="«AT/600x400-lake»">', '../../FILE'],
  ['a/b.css', "p{background:url( '«AT?query=lake»' )}/* AT */", '../FILE'],
  ['a/b.js', 'f("«AT?query=lake\\u0026width=600»", `x`)', '/FILE'],
  ['a.mjs', `f('<img src="«AT?query=lake&amp;width=600»">')`, '/FILE'],
  ['a.js', 'f("<img src=\\"«AT?query=lake»\\">")', '/FILE'],
  ['a.js', 'f("«AT/300x200-lake» 300w, «AT/600x400-lake» 600w")', '/FILE'],
  ['a/b.json', '{"a":"«AT?query=lake»","b":"See «AT/600x400-lake»."}', '/FILE'],
  ['a/b.cjs', 'f("«AT?query=lake»")', '/FILE'],
  ['a.webmanifest', '{"icons":[{"src":"«AT?query=lake»"}]}', '/FILE'],
  ['a/b.svg', '<image href="«AT?query=lake&amp;width=600»"/>', '../FILE'],
])('eject replaces the URL of an image in %s: %s', async (name, marked, file) => {
  const endpoint = `${site.base}/api/image`;
  const writeInJson = (text: string) => text.replaceAll('/', '\\/');
  const text = marked
    .replaceAll('ESCAPED_AT', writeInJson(endpoint))
    .replaceAll('NO_SCHEME', endpoint.slice(5))
    .replaceAll('CAPITALS', endpoint.replace('http', 'HTTP'))
    .replaceAll('AT', endpoint);
  write(name, text.replace(/[«»]/g, ''));
  const code = await run();
  const { lake = '' } = listImages();
  expect(lake).toMatch(/^images\/[\da-f]{20}\.webp$/);
  const written = file.replace('FILE', lake).replace('ESCAPED', writeInJson(lake));
  expect([readEjected(name), code]).toEqual([text.replace(/«[^»]*»/g, written), 0]);
});

test('eject writes absolute URLs into previews and feeds', async () => {
  const preview = `<meta property="og:image" content="${makeUrl('/1200x630-lake')}">`;
  const own = (url: string) => `<link rel="canonical" href="${url}">`;
  write('index.html', own('https://www.harbor.test/en/'));
  write('blog/a/index.html', preview + own('https://blog.harbor.test/x/blog/a/'));
  write('b.html', preview + own('https://blog.harbor.test/b'));
  write('en.html', preview + own('https://blog.harbor.test/x/engine'));
  write('c.html', preview);
  write('feed.xml', `<loc>${makeUrl('?query=lake&amp;width=300')}</loc>`);
  for (const name of ['feed.rss', 'feed.atom'])
    write(name, `<url>${makeUrl('?query=lake&amp;width=300')}</url>`);
  write('d.html', `<script type="application/ld+json">{"image":"${makeUrl('/600x400-lake')}"}</script>`);
  write('e.js', `'${makeUrl('/600x400-lake')}'`);
  expect(await run()).toBe(0);
  const { lake } = listImages();
  expect(readEjected('blog/a/index.html')).toContain(`content="https://blog.harbor.test/x/${lake}"`);
  for (const name of ['b.html', 'en.html'])
    expect(readEjected(name)).toContain(`content="https://blog.harbor.test/${lake}"`);
  expect(readEjected('c.html')).toContain(`content="https://www.harbor.test/en/${lake}"`);
  expect(readEjected('feed.xml')).toBe(`<loc>https://www.harbor.test/en/${lake}</loc>`);
  for (const name of ['feed.rss', 'feed.atom'])
    expect(readEjected(name)).toBe(`<url>https://www.harbor.test/en/${lake}</url>`);
  expect(readEjected('d.html')).toContain(`"${lake}"`);
  expect(readEjected('e.js')).toBe(`'/en/${lake}'`);

  rmSync('site/index.html');
  expect(await run()).toBe(1);
  expect(site.written).toMatch(/c\.html:1 .* name it with --site/);
  expect(readEjected('c.html')).toBe(preview);
  expect(await run('--site', 'https://other.test')).toBe(0);
  expect(readEjected('c.html')).toContain(`content="https://other.test/${lake}"`);
  for (const site of ['other.test', 'ftp://other.test'])
    await expect(run('--site', site)).rejects.toThrow(UsageError);
});

test('eject lists the URLs that it cannot replace', async () => {
  const left = {
    'a.ts': `\nexport const a = '${makeUrl()}/411x300-lake';`,
    'b.php': `<img src="${makeUrl()}/600x400-lake">`,
    'c.html': `<p>See ${makeUrl()}/{width}x{height}-{words}, or ${makeUrl()}/300x200-lake</p>`,
    'd.html': `<img src="${makeUrl()}/300x200-{{ words }}">`,
    'e.js': `f('${makeUrl()}?query=' + words, \`${makeUrl()}/300x200-\${words}\`)`,
    'f.html': `<img src="${makeUrl()}?query=none">`,
    'g.html': `<img src="${makeUrl()}?query=gone">`,
    'h.js': `const service = '${site.base}';`,
  };
  for (const [name, text] of Object.entries(left)) write(name, text);
  write('z.html', `<img src="${makeUrl()}/600x400-lake">`);
  expect(await run('--json')).toBe(1);
  for (const [name, text] of Object.entries(left)) expect(readEjected(name)).toBe(text);
  expect(readEjected('z.html')).toMatch(/^<img src="images\//);
  const rows = JSON.parse(site.written) as Record<string, unknown>[];
  expect(rows.map(({ file, line, outcome, reason }) => [file, line, outcome, reason])).toEqual([
    ['a.ts', 2, 'kept', 'code'],
    ['b.php', 1, 'kept', 'code'],
    ['c.html', 1, 'kept', 'code'],
    ['c.html', 1, 'kept', 'code'],
    ['d.html', 1, 'kept', 'template'],
    ['e.js', 1, 'kept', 'template'],
    ['e.js', 1, 'kept', 'template'],
    ['f.html', 1, 'left', 'no_image_found'],
    ['g.html', 1, 'kept', 'unknown'],
    ['h.js', 1, 'kept', 'template'],
    ['z.html', 1, 'filled', 'asked'],
  ]);
  expect(rows.at(-1)).toEqual({
    file: 'z.html',
    line: 1,
    was: `${makeUrl()}/600x400-lake`,
    outcome: 'filled',
    reason: 'asked',
    query: 'lake',
    width: 600,
    height: 400,
    src: listImages()['lake'],
    pick: null,
  });
  site.written = '';
  await run();
  expect(site.written).toMatch(
    /^9 files, 1 images written to alone\.\nURLs of the service are left: 10\n {2}a\.ts:2 /,
  );
});

test('eject keeps URLs of other hosts and other paths', async () => {
  const text = [
    `${site.base}0`,
    'https://other.test',
    '',
    `${site.base}.test`,
    `http://a.test/${site.base.replace('http:', '')}`,
  ]
    .map((each) => `<img src="${each}/api/image/600x400-lake">`)
    .join(`<a href="${site.base}/">API</a><link rel="preconnect" href="${site.base}">`);
  write('index.html', text);
  expect([await run(), readEjected('index.html'), site.requests]).toEqual([0, text, []]);
});

test('eject requests words of other alphabets in any encoding', async () => {
  write('a.html', writeImg('?query=forêt'));
  write('b.html', Buffer.from(`caf\xe9 ${writeImg('?query=for&ecirc;t')} for\xeat`, 'latin1'));
  write('c.html', Buffer.from(writeImg('?query=for\xeat'), 'latin1'));
  expect(await run()).toBe(0);
  expect(new Set(site.requests.map(({ url }) => url))).toEqual(
    new Set(['/api/image?query=for%C3%AAt&format=json']),
  );
  const image = listImages()['forêt'];
  expect(readFileSync('alone/b.html', 'latin1')).toBe(`caf\xe9 <img src="${image}"> for\xeat`);
});

test('eject keeps photos of Unsplash as links, escaped as their file escapes', async () => {
  const url = `${makeUrl('?query=unsplash')}`;
  const markup = unsplash.replace('&', '&amp;');
  for (const [name, text, after] of [
    ['a.html', `<img src="${url}">`, `<img src="${markup}">`],
    ['b.json', `"${url}\\u0026width=300"`, `"${unsplash.replace('&', '\\u0026')}"`],
    ['c.xml', `<loc>${url}</loc>`, `<loc>${markup}</loc>`],
    ['d.css', `p{background:url(${url})}`, `p{background:url(${unsplash})}`],
    ['e.js', `'<img src="${url}&amp;width=300">'`, `'<img src="${markup}">'`],
  ] as const) {
    write(name, text);
    expect([name, await run(), readEjected(name)]).toEqual([name, 0, after]);
  }
  expect(existsSync('alone/images')).toBe(false);
  expect(site.written).toMatch(
    /5 files, 0 images written to alone\.\nImages of Unsplash stay links[^\n]*: 1\n {2}https:/,
  );
});

test('eject requests and counts each image once', async () => {
  write('a.html', `${writeImg('?query=lake')}${writeImg('?query=lake#a')}`);
  write('b.html', `${writeImg('?query=sea&amp;site=s')}${writeImg('?query=sea&amp;signature=s')}`);
  write('shop/a.html', writeImg('?query=lake'));
  expect(await run()).toBe(0);
  expect(site.written).toBe('3 files, 2 images written to alone.\n');
  expect(site.requests.map(({ url, key }) => [new URL(url, site.base).search, key])).toEqual(
    expect.arrayContaining([
      ['?query=lake&format=json', 'pk_test_x'],
      ['?query=sea&site=s&format=json', undefined],
      ['?query=sea&signature=s&format=json', undefined],
    ]),
  );
  expect(site.requests).toHaveLength(3);
  site.statuses = [503];
  expect(await run()).toBe(1);
  expect(site.written).toMatch(/a\.html:1 .*does not load: HTTP 503\n/);
  expect(readEjected('b.html')).toMatch(/^<img src="images\//);
  // A URL of the service that no server answers.
  process.env['IMAGE_REDIRECT_URL'] = 'http://127.0.0.1:1';
  write('a.html', '<img src="http://127.0.0.1:1/api/image?query=lake">');
  site.written = '';
  expect(await run()).toBe(1);
  expect(site.written).toMatch(/a\.html:1 .*does not load: fetch failed\n/);
});

test('eject lists the URLs of a page that is too large', async () => {
  const text = `${'<div>'.repeat(600)}${writeImg('?query=lake')}`;
  write('a.html', text);
  write('b.html', `<!-- ${makeUrl('?query=lake')} -->${writeImg('?query=lake')}`);
  expect(await run()).toBe(1);
  expect(readEjected('a.html')).toBe(text);
  expect(readEjected('b.html')).toMatch(/^<!-- http.*query=lake --><img src="images\//);
  expect(site.written).toContain('URLs of the service are left: 1\n  a.html:1 ');
});

test('eject writes each credit once, with its images, into two files', async () => {
  const { landingUrl: _, ...plain } = record.attribution;
  const license = { id: 'cc-by-4.0', name: 'CC BY 4.0', url: 'https://cc.test/by' };
  attributions = {
    lake: { ...plain, creditLine: 'Photo by Zoe [z]', landingUrl: 'https://photos.test/1' },
    sea: { ...plain, license, creditLine: 'Photo by Ada' },
  };
  write(
    'a.html',
    ['lake', 'sea', 'lake&amp;width=300']
      .map((words) => `<img src="${makeUrl('?query=')}${words}">`)
      .join(''),
  );
  expect(await run()).toBe(0);
  const { lake, sea } = listImages();
  expect(JSON.parse(readEjected('credits.json'))).toEqual([
    { ...attributions['sea'], images: [sea] },
    { ...attributions['lake'], images: [lake] },
  ]);
  expect(readEjected('CREDITS.md')).toBe(
    `# Image credits\n\n- Photo by Ada ([CC BY 4.0](https://cc.test/by)): ${sea}\n- [Photo by Zoe \\[z\\]](https://photos.test/1): ${lake}\n`,
  );
});

test('eject writes two credits for one credit line of two images', async () => {
  write('a.html', `${writeImg('?query=lake')}${writeImg('?query=sea')}`);
  await run();
  const credits = JSON.parse(readEjected('credits.json')) as { landingUrl: string }[];
  expect(credits.map(({ landingUrl }) => landingUrl).sort()).toEqual([
    ...['https://photos.test/lake', 'https://photos.test/sea'],
  ]);
});

test.each([
  ['image/jpeg', 'jpg'],
  ['image/avif; v=1', 'avif'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/svg+xml', 'svg'],
  ['application/octet-stream', 'jpg'],
])('eject writes an image of the media type %s into a file .%s', async (type, extension) => {
  mediaType = type;
  write('index.html', writeImg('?query=lake'));
  await run();
  expect(readdirSync('alone/images')).toEqual([expect.stringMatching(`^[\\da-f]{20}\\.${extension}$`)]);
});

test('eject copies all files except git, packages, secrets and the target folder', async () => {
  const secrets = ['.env', '.envrc', 'a/.env.production'];
  for (const name of ['.well-known/a', '.nojekyll', 'a.bin', 'node_modules/a.js', '.git/a', ...secrets])
    write(name, '\xff\0');
  write('index.html', '<p>No image</p>');
  for (const time of ['first', 'second']) {
    expect([time, await eject(['site', '--out', 'site/alone'])]).toEqual([time, 0]);
    const names = ['.nojekyll', '.well-known', 'CREDITS.md', 'a.bin', 'credits.json', 'index.html'];
    expect(readdirSync('site/alone').sort()).toEqual(names);
  }
  for (const args of [[], ['site', 'other'], ['site', '--out', 'site'], ['site', '--out', '.'], ['other']])
    await expect(eject(args)).rejects.toThrow(UsageError);
});

test('eject copies linked folders whose links have an end', async () => {
  write('a.html', '');
  write('../static/b.html', writeImg('?query=lake'));
  const links = { linked: '../static', around: '.', above: '..', broken: 'nothing', self: 'self' };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join('site', name));
  symlinkSync('../site', 'static/back');
  expect(await run()).toBe(0);
  expect(readEjected('linked/b.html')).toMatch(/^<img src="\.\.\/images\//);
  expect(readdirSync('alone/linked')).toEqual(['b.html']);
  expect(readdirSync('alone').sort()).toEqual(['CREDITS.md', 'a.html', 'credits.json', 'images', 'linked']);
});

test('eject keeps the bytes around replaced URLs in any encoding', async () => {
  const other = fc.uint8Array({ maxLength: 60 });
  const name = fc.constantFrom('a.html', 'a.css', 'a.js', 'a.json', 'a.xml', 'a.svg', 'a.txt');
  const url = fc.constantFrom('', ` "${makeUrl('/600x400-lake')}" `);
  await fc.assert(
    fc.asyncProperty(name, other, url, other, async (file, before, quoted, after) => {
      rmSync('site', { recursive: true, force: true });
      const bytes = Buffer.concat([before, Buffer.from(quoted), after]);
      write(file, bytes);
      await run('--site', 'https://a.test/');
      const written = readFileSync(join('alone', file));
      if (written.equals(bytes)) return;
      expect(written.subarray(0, before.length).equals(before)).toBe(true);
      expect(written.subarray(written.length - after.length).equals(after)).toBe(true);
      expect(quoted).not.toBe('');
    }),
    { numRuns: 60 },
  );
});
