/** Where an owner sees an image again: at its provider in a small size, and from the library as it was delivered. */

import { createThumbnailOf } from '../../lambda/images/thumbnail';

const delivery = {
  publicUrl: (path: string) => `https://img.example.com/${path}`,
  signedUrl: async (path: string) => ({ url: `https://img.example.com/${path}?signed`, endsMs: 1 }),
} as never;
const attribution = {} as never;
const shown = { pick: 'p', attribution, since: '2026-11-21T00:00:00Z', pages: [] };
const thumbnailOf = (location?: string, imageDelivery: 'own' | 'provider' = 'provider') =>
  createThumbnailOf(
    delivery,
    'https://img.example.com',
    imageDelivery,
  )({ ...shown, ...(location !== undefined && { location }) }, 0);

test.each([
  ['?ixid=a&w=1920&h=1080&fit=crop', '?ixid=a&w=400&h=225&fit=crop'],
  ['?w=800&h=1600', '?w=200&h=400'],
  ['?w=320&h=200', '?w=320&h=200'],
  ['?of=another', '?of=another'],
])('a provider is asked for a small crop: %s', async (delivered, small) => {
  const url = `https://images.example/photo-1${delivered}`;
  expect(await thumbnailOf(url)).toBe(`https://images.example/photo-1${small}`);
  expect(await thumbnailOf(url, 'own')).toBeNull();
});

test.each([
  ['public/a/b/1920x1080.webp', 'https://img.example.com/public/a/b/1920x1080.webp'],
  ['private/a/b/1920x1080.webp', 'https://img.example.com/private/a/b/1920x1080.webp?signed'],
  ['private/a b.webp', null],
])('the library has %s in the size in which it was delivered', async (path, url) => {
  expect(await thumbnailOf(`https://img.example.com/${path}`)).toBe(url);
});

test('an image that is not noted with a location has none', async () =>
  expect(await thumbnailOf()).toBeNull());
