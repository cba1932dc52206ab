// Requests 100 new stock images and 10 new AI images a second by one API key, for a minute. It is a process of
// its own, as its work would delay the requests that are measured.

import { imagePath, repeat, requestImage } from './requests';

const [url = '', key = ''] = process.argv.slice(2);
let count = 0;
const requestNewImage = (provider: string) =>
  requestImage(url + imagePath(`lake ${(count++).toString(36)}`, provider), key);

process.send?.('The flood begins.');
// Refused requests are part of the load.
void repeat(60, 100, () => requestNewImage('stock_a'));
void repeat(60, 10, () => requestNewImage('ai'));
