/** The code of the playground: the URL of the request, and a snippet in the language of the open tab. */

import type { ImageRecord } from '../../../../packages/client/src/service';
import { fillElement, findElement, startTabs } from './elements';
import { readKey, readValues } from './playground-form';
import { stagePrefix } from './service';
import { writeShortestUrl, writeSnippets } from './snippets';

/** Root of the service, without a trailing slash. */
export const serviceRoot = location.origin + stagePrefix;

let openTab = 0;
let shownRecord: ImageRecord | undefined;

/** Starts the tabs of the code. */
export function startCode(): void {
  startTabs(findElement('code', HTMLElement).querySelector('[role=tablist]') as HTMLElement, (tab) => {
    openTab = tab;
    showCode(shownRecord);
  });
}

/** Shows the code for the form. `record` is that of the shown image; it is absent once a value has changed. */
export function showCode(record?: ImageRecord): void {
  shownRecord = record;
  const values = readValues();
  if (values.query.trim() === '') return;
  const url = writeShortestUrl(serviceRoot, values);
  fillElement('url', url.slice(location.origin.length));
  const hasKey = readKey() !== '';
  const published = hasKey ? record : undefined;
  const snippets = writeSnippets(url, values, hasKey, published);
  const [language, text] = Object.entries(snippets)[openTab] as [string, string];
  findElement('code-panel', HTMLElement).setAttribute('aria-labelledby', `tab-${language}`);
  fillElement('snippet', text);
  const signedNote = published ? 'Signed for every visitor of your page.' : '';
  const keyNote = 'Replace YOUR_API_KEY with your own key, on a server only.';
  fillElement('code-note', text.includes('YOUR_API_KEY') ? keyNote : signedNote);
}
