/** The commands of the tool, in the order of its help. */

import type { Command } from './command';
import { create } from './commands/create';
import { list } from './commands/list';
import { revoke } from './commands/revoke';
import { rotate } from './commands/rotate';
import { setPlan } from './commands/set-plan';
import { show } from './commands/show';
import { usage } from './commands/usage';

export const commands: readonly Command[] = [create, list, show, rotate, revoke, setPlan, usage];
