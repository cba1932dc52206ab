// Requests 100 new stock images and 10 new AI images a second by one API key, for a minute. In a process of
// its own, as its work would delay the requests that are measured.

import { imagePath, newWords, repeat, send } from './requests';

const [url = '', key = ''] = process.argv.slice(2);
process.send?.('The flood begins.');
// Refused requests are part of the load.
void repeat(60, 100, () => send(url + imagePath(newWords()), key));
void repeat(60, 10, () => send(url + imagePath(newWords(), 'ai'), key));
