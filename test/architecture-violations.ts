/** One small violation of each import rule, to test that each rule reports it. */

/** Rule → the files of a tiny project that breaks it; the first is the one that should be named. */
export const violations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no-cycles': {
    'lambda/domain/egg.ts': "export { hen } from './hen';\nexport const egg = 1;",
    'lambda/domain/hen.ts': "export { egg } from './egg';\nexport const hen = 1;",
  },
  'domain-is-pure': {
    'lambda/domain/reader.ts': "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;",
  },
  'contract-is-light': {
    'lambda/contract/heavy.ts': "import { found } from '../adapters/found';\nexport const heavy = found;",
    'lambda/adapters/found.ts': 'export const found = 1;',
  },
  'ports-are-words': {
    'lambda/ports/wordy.ts': "import { createHash } from 'node:crypto';\nexport const hash = createHash;",
  },
  'http-knows-no-function': {
    'lambda/http/routing.ts':
      "import { route } from '../functions/redirect/route';\nexport const routing = route;",
    'lambda/functions/redirect/route.ts': 'export const route = 1;',
  },
  'waiting-knows-the-clock-only': {
    'lambda/async/curious.ts':
      "import type { lake } from '../domain/lake';\nexport type Curious = typeof lake;",
    'lambda/domain/lake.ts': 'export const lake = 1;',
  },
  'use-cases-know-no-adapters': {
    'lambda/usecases/knowing.ts':
      "import type { Table } from '../adapters/table';\nexport type Known = Table;",
    'lambda/adapters/table.ts': 'export interface Table {}',
  },
  'adapters-know-no-use-cases': {
    'lambda/adapters/deciding.ts':
      "import { decide } from '../functions/redirect/decide';\nexport const decided = decide;",
    'lambda/functions/redirect/decide.ts': 'export const decide = 1;',
  },
  'only-adapters-touch-aws': {
    'lambda/functions/redirect/touching.ts':
      "import type { Client } from '@aws-sdk/client-made-up';\nexport type Touched = Client;",
    'node_modules/@aws-sdk/client-made-up/package.json':
      '{"name":"@aws-sdk/client-made-up","main":"index.js"}',
    'node_modules/@aws-sdk/client-made-up/index.js': 'exports.Client = class {};',
  },
  'only-main-wires': {
    'lambda/functions/redirect/wiring.ts':
      "import { made } from '../../adapters/made';\nexport const wired = made;",
    'lambda/adapters/made.ts': 'export const made = 1;',
  },
  'stack-knows-the-contract-only': {
    'lib/nosy.ts': "import { price } from '../lambda/domain/price';\nexport const nosy = price;",
    'lambda/domain/price.ts': 'export const price = 1;',
  },
  'runtime-knows-no-stack': {
    'lambda/functions/redirect/homesick.ts':
      "import { stack } from '../../../lib/stack';\nexport const home = stack;",
    'lib/stack.ts': 'export const stack = 1;',
  },
  'browser-code-stands-alone': {
    'lambda/functions/docs/page/browser/leaking.ts':
      "import { secret } from '../secret';\nexport const leaked = secret;",
    'lambda/functions/docs/page/secret.ts': 'export const secret = 1;',
  },
  'packages-stand-alone': {
    'packages/clock/src/reading.ts':
      "import { now } from '../../../lambda/domain/now';\nexport const read = now;",
    'lambda/domain/now.ts': 'export const now = 1;',
  },
  'only-adapters-use-packages': {
    'lambda/functions/redirect/drawing.ts':
      "import { dial } from '../../../packages/dial/src/dial';\nexport const drawn = dial;",
    'packages/dial/src/dial.ts': 'export const dial = 1;',
  },
  'no-barrels': {
    'lambda/functions/authorizer/lazy.ts': "import { all } from './index';\nexport const lazy = all;",
    'lambda/functions/authorizer/index.ts': 'export const all = 1;',
  },
};

/** What the rules let pass: the same project would be as wrong if this were named. */
export const innocents: Readonly<Record<string, string>> = {
  'packages/dial/src/hand.ts': "import { dial } from './dial';\nexport const hand = dial;",
  'lambda/adapters/dialling.ts':
    "import { dial } from '../../packages/dial/src/dial';\nexport const dialled = dial;",
  'lambda/contract/contract.ts': 'export const contract = 1;',
  'lambda/contract/messages/sending.ts':
    "import { hashing } from '../../domain/hashing';\nexport const sending = hashing;",
  'lambda/domain/hashing.ts': "import { createHash } from 'node:crypto';\nexport const hashing = createHash;",
  'lambda/ports/plain.ts':
    "import type { hashing } from '../domain/hashing';\nexport type Plain = typeof hashing;",
  'lambda/http/answering.ts':
    "import type { hashing } from '../domain/hashing';\nexport type Answering = typeof hashing;",
  'lambda/ports/clock.ts': 'export interface Clock {}',
  'lambda/async/waiting.ts': "import type { Clock } from '../ports/clock';\nexport type Waiting = Clock;",
  'lambda/usecases/using.ts':
    "import type { Waiting } from '../async/waiting';\nimport type { Plain } from '../ports/plain';\nexport type Using = [Plain, Waiting];",
  'lambda/adapters/holding.ts':
    "import { Client } from '@aws-sdk/client-made-up';\nimport { contract } from '../contract/contract';\nexport const held = [Client, contract];",
  'lambda/functions/redirect/main.ts':
    "import { held } from '../../adapters/holding';\nexport const handler = held;",
  'lib/knowing-the-contract.ts':
    "import { contract } from '../lambda/contract/contract';\nexport const known = contract;",
  'bin/wiring.ts': "import { held } from '../lambda/adapters/holding';\nexport const wired = held;",
};
