// The import rules. test/architecture.test.ts and `npm run check` run them.
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid('no-cycles', 'Two files that need each other are one file, or three.', {}, { circular: true }),
    forbid(
      'domain-is-pure',
      'The domain knows nothing but itself and node:crypto.',
      { path: '^lambda/domain' },
      { pathNot: ['^lambda/(domain|contract)', '^crypto$'] },
    ),
    forbid(
      'contract-is-light',
      'The contract states facts and messages, so that every side can import it.',
      { path: '^lambda/contract' },
      { pathNot: ['^lambda/(contract|domain)/', '^node_modules/zod/'] },
    ),
    forbid(
      'ports-are-words',
      'A port speaks of the domain only.',
      { path: '^lambda/ports' },
      { pathNot: ['^lambda/(ports|domain|contract)'] },
    ),
    forbid(
      'http-knows-no-function',
      'The HTTP layer serves every function, so it knows the routes of none.',
      { path: '^lambda/http' },
      { path: '^(lambda|lib|bin|test)/', pathNot: '^lambda/(http|domain|ports|contract)/' },
    ),
    forbid(
      'waiting-knows-the-clock-only',
      'Retrying, polling and loading know nothing of what they are used for.',
      { path: '^lambda/async' },
      { pathNot: ['^lambda/async', '^lambda/ports/clock\\.ts$'] },
    ),
    forbid(
      'use-cases-know-no-adapters',
      'A use case sees the domain and ports; who implements them is decided in main.ts.',
      { path: '^lambda/usecases' },
      { pathNot: ['^lambda/(usecases|domain|ports|contract|async)', '^crypto$'] },
    ),
    forbid(
      'adapters-know-no-use-cases',
      'An adapter implements a port; it does not decide.',
      { path: '^lambda/adapters' },
      {
        path: '^(lambda|lib|bin|test)/',
        pathNot: '^lambda/(adapters|domain|ports|contract|async)/',
      },
    ),
    forbid(
      'only-adapters-touch-aws',
      'The AWS SDK stays behind the ports.',
      { path: '^lambda', pathNot: '^lambda/adapters' },
      { path: '^node_modules/(@aws-sdk|@smithy)' },
    ),
    forbid(
      'only-main-wires',
      'Only main.ts, with start-function.ts, builds adapters; handlers receive what they need. Settings may be read by the adapter they are for.',
      {
        path: '^lambda',
        pathNot: [
          '^lambda/adapters',
          '[/-]main\\.ts$',
          '/settings\\.ts$',
          '^lambda/functions/start-function\\.ts$',
        ],
      },
      { path: '^lambda/adapters' },
    ),
    forbid(
      'stack-knows-the-contract-only',
      'The stack shares names with the run time, not code.',
      { path: '^lib' },
      { path: '^lambda', pathNot: '^lambda/contract/' },
    ),
    forbid(
      'runtime-knows-no-stack',
      'What runs in Lambda never imports what deploys it.',
      { path: '^lambda' },
      { path: ['^(lib|bin|test|bench)/', '^node_modules/(aws-cdk-lib|constructs|cdk-nag)'] },
    ),
    forbid(
      'browser-code-stands-alone',
      'What browsers run imports nothing that runs in Lambda. The page signs URLs with the signer of the client package.',
      { path: '^lambda/functions/docs/page/browser/' },
      { pathNot: ['^lambda/functions/docs/page/browser/', '^packages/client/src/'] },
    ),
    forbid(
      'packages-stand-alone',
      'A package can be used without the service, and needs nothing but itself. The loader for Astro hands over to Astro.',
      { path: '^packages/([^/]+)/src/' },
      { pathNot: ['^packages/$1/src/', '^astro/'] },
    ),
    forbid(
      'only-adapters-use-packages',
      'The drawing engine stays behind a port: adapters import it, and main.ts hands it over.',
      {
        path: '^lambda',
        pathNot: ['^lambda/adapters', '^lambda/functions/docs/page/browser/', '[/-]main\\.ts$'],
      },
      { path: '^packages/' },
    ),
    forbid(
      'no-barrels',
      'Import a thing from the file that is named after it.',
      {},
      { path: '(^|/)index\\.ts$' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Applications of their own, and what is built.
    exclude: { path: '^packages/[^/]+/(fixtures|dist)/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
