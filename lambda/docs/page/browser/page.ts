/** The script of the documentation page. A key stays in its form field and is sent in a request header only; a signer's secret is never sent. */

import { startCopyButtons } from './copy-buttons';
import { loadLiveImages } from './live-images';
import { startPlayground } from './playground';
import { startPublish } from './publish';
import { startTabs } from './tabs';

startTabs();
loadLiveImages();
startPlayground();
startPublish();
startCopyButtons();
