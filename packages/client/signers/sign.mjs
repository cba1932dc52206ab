// Signs an image URL of either form. `expires`, in Unix seconds, may be absent.
import { createHmac } from 'node:crypto';

const names =
  'alt avoid color crop height label lang license onmiss pick provider query seed style upto variation visibility width'.split(
    ' ',
  );

const full = (name) =>
  name
    .replace(/^(amp;)+/, '')
    .replace(/^[qwh]$/, (short) => ({ q: 'query', w: 'width', h: 'height' })[short]);

export function sign(url, id, secret, expires = '') {
  const { pathname, searchParams } = new URL(url);
  const values = new Map(
    [...searchParams].map(([name, value]) => [full(name), value]).filter(([name]) => names.includes(name)),
  );
  const segment = decodeURIComponent(/\/api\/image\/(.+)/.exec(pathname)?.[1] ?? '').replace(
    /\.(jpe?g|webp|avif|png|gif|svg|bmp|tif)$/i,
    '',
  );
  const [path, width, height, words = ''] = /^(\d+)x(\d+)(?:[-_+/ ](.*))?$/s.exec(segment) ?? [];
  if (path)
    values
      .set('width', width)
      .set('height', height)
      .set('query', words.replace(/[-_+/ ]+/g, ' ').replace(/^ | $/g, ''));
  if (values.has('upto')) values.delete('width') | values.delete('height');
  const encode = (text) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const canonical = [...values]
    .map(([name, value]) => `${name}=${encode(value)}`)
    .sort()
    .join('&');
  const mac = createHmac('sha256', Buffer.from(secret.slice(9, 52), 'base64url')).update(
    `image-redirect/v1\n${id}\n${expires}\n${canonical}`,
  );
  const signature = mac.digest().subarray(0, 16).toString('base64url');
  return `${url}${url.includes('?') ? '&' : '?'}signer=${id}${expires && `&expires=${expires}`}&signature=${signature}`;
}
