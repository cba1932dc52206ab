/** How each command of the README is tested: run as written, or by another file. */

/** Values of the current test run. */
export interface Here {
  /** A local service that runs, and two of its keys. */
  readonly url: string;
  readonly live: string;
  readonly test: string;
  /** Empty folder. */
  readonly folder: string;
}

export type Treatment =
  /** Ends by itself with exit code 0. */
  | { readonly kind: 'run'; readonly as?: (command: string, here: Here) => string; readonly shows: RegExp }
  /** Runs until Ctrl-C; its output is expected on stderr. */
  | { readonly kind: 'serve'; readonly as?: (command: string, here: Here) => string; readonly shows: RegExp }
  /** Is run by a file of the project, which holds these words. */
  | {
      readonly kind: 'elsewhere';
      readonly file: string;
      readonly words: readonly string[];
      readonly why: string;
    };

const local = (command: string, { url }: Here) => `${command} --local ${url}`;
const isReady = /is ready: +http:\/\/127\.0\.0\.1:\d+[\s\S]*curl -i[\s\S]*Demo keys[\s\S]*Stop with Ctrl-C/;
const deploys = 'an AWS account is needed; the deployment test runs it against an emulated one';
const needsDocker = 'Docker is needed; the events are replayed on the same bundles instead';

export const treatments: Readonly<Record<string, Treatment>> = {
  // A port and a folder of its own: the default port may be taken, and .local belongs to the developer.
  'npm start': {
    kind: 'serve',
    as: (command, { folder }) => `${command} -- --port 0 --data ${folder}/data`,
    shows: isReady,
  },
  'npm test': {
    kind: 'elsewhere',
    file: '.ci/run',
    words: ['\nnpm test\n'],
    why: 'it runs this very test',
  },
  'npm start -- --help': { kind: 'run', shows: /--port <N>[\s\S]*--memory[\s\S]*--fake-providers/ },
  'npm start -- --port 8080 --memory': {
    kind: 'serve',
    as: (command) => `${command} --port 0`,
    shows: /Data: in memory, gone at the end/,
  },
  'npm start -- --fake-providers --bind stock_a=unsplash,stock_b=pexels,stock_c=pixabay': {
    kind: 'serve',
    as: (command) => `${command} --port 0 --memory`,
    shows: /stock_a unsplash, stock_b pexels, stock_c pixabay \(local fake providers\)/,
  },
  'npm start --silent -- --port 0 --memory --json': { kind: 'serve', shows: /Ready at http:/ },

  'npx cdk bootstrap': {
    kind: 'elsewhere',
    file: 'bin/deploy-test/cloud.ts',
    words: ["'bootstrap'"],
    why: deploys,
  },
  'npx cdk deploy': {
    kind: 'elsewhere',
    file: 'bin/deploy-test/cloud.ts',
    words: ["'aws-cdk', 'bin', 'cdk'", "'deploy'"],
    why: deploys,
  },
  'npx cdk deploy -c stage=prod': {
    kind: 'elsewhere',
    file: 'bin/deploy-test/cloud.ts',
    words: ["'deploy'", "stage: 'prod'", "'--context'"],
    why: deploys,
  },
  ...Object.fromEntries(
    [
      ['{"version":1,"trusted":[1,2]}', 'signingKey: { version: 1, trusted }'],
      ['{"version":2,"trusted":[1,2]}', 'signingKey: { version: 2, trusted }'],
      ['{"version":2}', 'signingKey: { version: 2 }'],
    ].map(([value, words = '']): [string, Treatment] => [
      `npx cdk deploy -c stage=prod -c signingKey='${value}'`,
      { kind: 'elsewhere', file: 'bin/deploy-test/deploy-and-destroy.ts', words: [words], why: deploys },
    ]),
  ),

  'npm run keys -- --help': { kind: 'run', shows: /Commands:[\s\S]*rotate KEY_ID[\s\S]*Exit codes/ },
  'npm run keys -- create --plan pro --account-name "Acme" --name "web site"': {
    kind: 'run',
    as: local,
    shows: /Key +pk_live_\w{38}[\s\S]*Name +web site[\s\S]*Account name +Acme[\s\S]*Plan +pro/,
  },
  'npm run keys -- create --plan pro --name "web site" --stack ImageRedirect-prod': {
    kind: 'elsewhere',
    file: 'test/bin/keys/stack.test.ts',
    words: ["'create', '--stack'"],
    why: 'a deployment is needed; a scripted CloudFormation stands in for it',
  },
  'npm run keys -- list': {
    kind: 'run',
    as: local,
    shows: /KEY ID +ACCOUNT +ACCOUNT NAME +PLAN[\s\S]*enterprise/,
  },
  'npm run providers': {
    kind: 'run',
    as: (command, here) => local(`${command} --`, here),
    shows: /stock_a[\s\S]*sandbox/,
  },

  [`curl http://127.0.0.1:3000/api/images -H 'X-API-Key: pk_live_…' -H 'Content-Type: application/json' -d '{"page":"home","images":[{"slot":"hero","query":"mountain lake"},{"slot":"team","query":"office"}]}'`]:
    {
      kind: 'run',
      as: (command, { url, live }) =>
        command.replace('http://127.0.0.1:3000', url).replace('pk_live_…', live),
      shows: /"hero":\{"url":"http[\s\S]*"team":\{"url":"http/,
    },
  'IMAGE_REDIRECT_URL=http://127.0.0.1:3000 IMAGE_REDIRECT_KEY=pk_live_… npx image-redirect mcp': {
    kind: 'elsewhere',
    file: 'test/e2e/mcp.test.ts',
    words: ["'bin/image-redirect.ts'", "'mcp'", 'IMAGE_REDIRECT_URL', 'IMAGE_REDIRECT_KEY'],
    why: 'it reads from its client until that goes away',
  },
  ...Object.fromEntries(
    ['--stage prod', '--stack ImageRedirect-prod'].map((flags): [string, Treatment] => [
      `npx image-redirect doctor ${flags}`,
      {
        kind: 'elsewhere',
        file: 'test/bin/doctor/doctor.test.ts',
        words: [`'${flags.slice(0, 7)}'`],
        why: deploys,
      },
    ]),
  ),

  // The committed files stay unchanged; the comparison covers the same code.
  'npm run synth': { kind: 'run', as: (command) => `${command} -- --check`, shows: /are current/ },
  'npm run diff': { kind: 'run', shows: /Stage dev[\s\S]*Stage prod/ },
  'npm run check': {
    kind: 'elsewhere',
    file: '.ci/run',
    words: ['\nnpm run check\n'],
    why: 'a minute of work, and what it finds is no matter of the README',
  },

  'npm run test:deploy': {
    kind: 'elsewhere',
    file: '.ci/run',
    words: ['\nnpm run test:deploy'],
    why: 'minutes of work, and Python is needed',
  },
  'npm run test:engines': {
    kind: 'elsewhere',
    file: '.ci/run',
    words: ['\nnpm run test:engines'],
    why: 'it fetches the second engine, and tests reach no network',
  },
  'npm run test:e2e -- --url https://… --live-key pk_live_… --test-key pk_test_…': {
    kind: 'run',
    as: (command, { url, live, test }) =>
      command.replace('https://…', url).replace('pk_live_…', live).replace('pk_test_…', test),
    shows: /Tests: +\d+ passed, \d+ total/,
  },
  'npm run verify -- --seeds 100000': {
    kind: 'run',
    as: (command) => command.replace('100000', '20'),
    shows: /20 histories.* 0 with a fault/,
  },
  'npm run verify -- --model': {
    kind: 'run',
    as: (command) => `${command} --only F --no-mutants`,
    shows: /\bF\b.*yes/,
  },
  'npm run bench': {
    kind: 'run',
    as: (command) => `${command} -- --only bytes`,
    shows: /\| Ratio|within target/,
  },

  'npx cdk synth --quiet': {
    kind: 'elsewhere',
    file: '.github/workflows/ci.yml',
    words: ['npx cdk synth --quiet'],
    why: 'it fetches what runs on the processor of the functions, and tests reach no network',
  },
  'sam local invoke RedirectFunction -t cdk.out/ImageRedirect-dev.template.json -e events/redirect-anonymous.json --env-vars env.sam.json':
    {
      kind: 'elsewhere',
      file: 'test/lib/events.test.ts',
      words: ['env.sam.json', "'events'", 'runBundle'],
      why: needsDocker,
    },
  'sam local start-api -t cdk.out/ImageRedirect-dev.template.json --env-vars env.sam.json': {
    kind: 'elsewhere',
    file: 'test/lib/events.test.ts',
    words: ['env.sam.json', 'apiRoutes', 'runBundle'],
    why: needsDocker,
  },
};
