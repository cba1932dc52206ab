/** The script of the documentation page. A key stays in its form field and is sent in a request header only; a signer's secret is never sent. */

import { startCopyButtons, startTabs } from './elements';
import { startPlayground } from './playground';
import { startPublish } from './publish';
import { startRepair } from './repair';

startTabs();
startPlayground();
startPublish();
startRepair();
startCopyButtons();
