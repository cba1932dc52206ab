/** The script of the documentation page. A key stays in its form field and is sent in a request header only. */

import { startCopyButtons } from './copy-buttons';
import { loadLiveImages } from './live-images';
import { startPlayground } from './playground';
import { startTabs } from './tabs';

startTabs();
loadLiveImages();
startPlayground();
startCopyButtons();
