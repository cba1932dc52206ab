/** Runs the contract of the stock adapters on each of them, with the particulars of its provider. */

import { describeStockProvider } from '../../contracts/stock-provider';

describeStockProvider('openverse', {
  searches: {
    landscape: { aspect_ratio: 'wide' },
    portrait: { aspect_ratio: 'tall' },
    square: { aspect_ratio: 'square' },
  },
  always: {
    q: 'old harbour',
    license_type: 'commercial,modification',
    mature: 'false',
    page_size: '20',
    size: 'large',
  },
  source: 'fetch',
});

describeStockProvider('wikimedia', {
  searches: {
    landscape: { gsrsearch: 'old harbour filetype:bitmap filew:>1600 fileh:>900' },
    portrait: { gsrsearch: 'old harbour filetype:bitmap filew:>900 fileh:>1600' },
    square: { gsrsearch: 'old harbour filetype:bitmap filew:>1080 fileh:>1080' },
  },
  always: {
    formatversion: '2',
    gsrnamespace: '6',
    gsrlimit: '50',
    iiurlwidth: '1920',
    iiextmetadatafilter: 'LicenseShortName|LicenseUrl|Artist|ImageDescription|Categories',
  },
  kinds: { fakemaxlag: 'throttled', fake400: 'rejected' },
  source: 'fetch',
});

describeStockProvider('unsplash', {
  searches: {
    landscape: { orientation: 'landscape' },
    portrait: { orientation: 'portrait' },
    square: { orientation: 'squarish' },
  },
  always: { query: 'old harbour', order_by: 'relevant', content_filter: 'high', per_page: '20' },
  kinds: { fake410: 'rejected' },
  source: 'hotlink',
});

describeStockProvider('pexels', {
  searches: {
    landscape: { orientation: 'landscape' },
    portrait: { orientation: 'portrait' },
    square: { orientation: 'square' },
  },
  always: { query: 'old harbour', size: 'small', per_page: '20' },
  source: 'hotlink',
});

describeStockProvider('pixabay', {
  searches: {
    landscape: { orientation: 'horizontal', min_width: '1280', min_height: '720' },
    portrait: { orientation: 'vertical', min_width: '720', min_height: '1280' },
    square: { orientation: 'all' },
  },
  always: { q: 'old harbour', safesearch: 'true', image_type: 'photo' },
  source: 'fetch',
});
