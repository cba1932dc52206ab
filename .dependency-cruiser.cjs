// The import rules, which `npm run check` enforces. docs/decisions says why folders are subjects.
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
    forbid('no-cycles', 'Two files that import each other are one file, or three.', {}, { circular: true }),
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
      'Only adapters import clients of the AWS SDK and the network. Commands of DynamoDB are data, which the store of a subject may make.',
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
      'The stack imports names, bounds, settings and error cards of the run time, and no function that serves requests.',
      { path: '^lib/' },
      {
        path: '^lambda',
        pathNot:
          '^lambda/(contract/|http/(gateway-responses|error-card)\\.ts$|requests/parameter-names\\.ts$|problems/problem\\.ts$|(services|functions/generator)/settings\\.ts$)',
      },
    ),
    forbid(
      'runtime-knows-no-stack',
      'Code of Lambda never imports code that deploys, starts or tests it.',
      { path: '^lambda' },
      { path: ['^(bin|cli|lib|local|test|tools)/', '^node_modules/(aws-cdk-lib|constructs)'] },
    ),
    forbid(
      'browser-code-stands-alone',
      'Code of browsers imports only types of responses, plain constants and plain functions of the service.',
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
      'The service imports only the entries of the client package, its types, and its arithmetic of sizes and signatures.',
      { path: '^(cli|lambda|lib|local)/' },
      {
        path: '^packages/client/src/',
        pathNot: '^packages/client/src/(client|service|image-size|signer|pages/fill|pages/fill-html)\\.ts$',
      },
    ),
    forbid(
      'packages-stand-alone',
      'A package works without the service. The loader for Astro imports Astro, and the repair of whole pages a parser of HTML.',
      { path: '^packages/([^/]+)/src/' },
      {
        pathNot: ['^packages/$1/(src|data)/', '^astro/', '^node_modules/parse5/'],
        dependencyTypesNot: ['core'],
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Built files, and pages of other frameworks, which tests read as texts.
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
