// The import rules: `npm run check` runs them. docs/decisions says why the code is laid out by subject.
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** The subjects below lambda/, from the top: each imports itself and those after it. `aws` holds adapters. */
const subjects = [
  'functions',
  'docs',
  'openai',
  'pages',
  'serving',
  'services',
  'http',
  'stock',
  'generation',
  'quota',
  'images',
  'requests',
  'credentials',
  'problems',
  'aws',
  'base',
  'contract',
];

/** Adapters of AWS, the network, the file system and sharp. */
const adapters = '^lambda/(aws/|generation/models/|images/(fetch|stores|sharp)/)';
const browser = '^lambda/docs/page/browser/';

module.exports = {
  forbidden: [
    forbid('no-cycles', 'Two files that need each other are one file, or three.', {}, { circular: true }),
    ...subjects
      .slice(1)
      .map((subject, index) =>
        forbid(
          `${subject}-imports-downwards`,
          'Subjects import downwards only, so that no two folders need each other.',
          { path: `^lambda/${subject}/` },
          { path: `^lambda/(${subjects.slice(0, index + 1).join('|')})/` },
        ),
      ),
    forbid(
      'only-adapters-touch-aws',
      'Clients and what fetches are the files that know the AWS SDK and the network. Commands of DynamoDB are data: they stand in the store of their subject.',
      { path: '^lambda', pathNot: adapters },
      {
        path: [
          '^node_modules/(@aws-sdk/(?!lib-dynamodb/)|@smithy|sharp)',
          '^(http|https|http2|net|tls|fs|fs/promises)$',
        ],
      },
    ),
    forbid(
      'stack-knows-facts',
      'The stack takes names, bounds and settings of the run time, and draws its error cards; it runs no function. The command line calls the stores, as operators change what they hold.',
      { path: '^lib/' },
      {
        path: '^lambda',
        pathNot:
          '^lambda/(contract/|http/(gateway-responses|error-card)\\.ts$|requests/parameter-names\\.ts$|problems/problem\\.ts$|(services|functions/generator)/settings\\.ts$)',
      },
    ),
    forbid(
      'runtime-knows-no-stack',
      'What runs in Lambda never imports what deploys, starts or tests it.',
      { path: '^lambda' },
      { path: ['^(bin|cli|lib|local|test|tools)/', '^node_modules/(aws-cdk-lib|constructs)'] },
    ),
    forbid(
      'browser-code-stands-alone',
      'What browsers run imports of the service the types of its answers, and plain constants and functions.',
      { path: browser },
      {
        pathNot: [
          browser,
          '^packages/client/src/service\\.ts$',
          '(usage-schema|own-keys)\\.ts$',
          '^lambda/(base/(text|window)|contract/plans)\\.ts$',
        ],
      },
    ),
    forbid(
      'client-by-its-entries',
      'The service uses what the client package exports, its records, and its arithmetic of sizes and signatures.',
      { path: '^(cli|lambda|lib|local)/' },
      {
        path: '^packages/client/src/',
        pathNot: '^packages/client/src/(client|service|image-size|signer|pages/fill|pages/fill-html)\\.ts$',
      },
    ),
    forbid(
      'packages-stand-alone',
      'A package can be used without the service. The loader for Astro hands over to Astro; whole pages take a parser of HTML.',
      { path: '^packages/([^/]+)/src/' },
      {
        pathNot: ['^packages/$1/(src|data)/', '^astro/', '^node_modules/parse5/'],
        dependencyTypesNot: ['core'],
      },
    ),
    forbid(
      'no-barrels',
      'Import a thing from the file that is named after it.',
      {},
      { path: '(^|/)index\\.ts$' },
    ),
    forbid(
      'no-drawers',
      'A folder is named after its subject.',
      {},
      { path: '(^|/)(utils|helpers|common|shared|misc)/', pathNot: 'node_modules' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What is built, and pages of other frameworks, which are texts for tests.
    exclude: { path: '^packages/[^/]+/dist/|^test/fixtures/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
