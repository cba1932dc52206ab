/** `npm run relevance`: prints the relevance measurement; with `-- --record` writes it to docs/relevance.md. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { relevancePage } from './report';

const page = relevancePage();
process.stdout.write(page);
if (process.argv.includes('--record')) writeFileSync(join(__dirname, '../../docs/relevance.md'), page);
