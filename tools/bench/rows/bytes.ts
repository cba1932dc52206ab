/** The minified bytes that functions load, compared with the DynamoDB client alone, and what manifests add to images. */

import { buildSync } from 'esbuild';
import { manifestBytesMax } from '../../../lambda/images/c2pa/sign-image';
import { entryOf, projectRoot } from '../../../lib/functions/bundle';
import { buildOf, bytesLoadedWith } from '../builds';
import { manifestAVIF, manifestJPEG, manifestWebP } from '../programs/images';
import { type Row, rowOf } from '../row';

const kilobyte = 1_024;

/** What is loaded, by the sources that are imported, and its limit in KB. */
const loads: readonly (readonly [string, string, readonly string[], number])[] = [
  ['A known stock image loads', 'redirect', [], 150],
  ['A key that is looked up loads', 'authorizer', [], 45],
  [
    'An image generated on Bedrock loads',
    'generator',
    [
      'lambda/generation/models/bedrock/runtime.ts',
      'lambda/generation/models/bedrock-stability.ts',
      'lambda/images/s3/s3-library.ts',
      'node_modules/@aws-sdk/credential-provider-env/dist-es/index.js',
    ],
    700,
  ],
];

/** Rows of the group `bytes`, the same on every machine. */
export async function measureBytes(): Promise<readonly Row[]> {
  const alone = aloneBytes();
  const ofCode = loads.map(([name, fn, more, maxKb]) =>
    rowOf({
      group: 'bytes',
      name,
      baseline: 'the DynamoDB client alone',
      unit: 'KB',
      measured: [bytesLoadedWith(buildOf(entryOf(fn)), [entryOf(fn), ...more]) / kilobyte],
      least: [alone / kilobyte],
      ratioMax: (maxKb * kilobyte) / alone,
    }),
  );
  const ofImages = Object.entries({ JPEG: manifestJPEG, WebP: manifestWebP, AVIF: manifestAVIF }).map(
    async ([format, sign]) => {
      const { plain, signed } = await sign();
      return rowOf({
        group: 'bytes',
        name: `1920 × 1080 as ${format} with its manifest`,
        baseline: 'without a manifest',
        unit: 'KB',
        measured: [signed / kilobyte],
        least: [plain / kilobyte],
        ratioMax: 1 + manifestBytesMax / plain,
      });
    },
  );
  return [...ofCode, ...(await Promise.all(ofImages))];
}

/** Both packages in one file, with everything they could ever load. */
function aloneBytes(): number {
  const { outputFiles } = buildSync({
    absWorkingDir: projectRoot,
    entryPoints: ['tools/bench/programs/dynamodb-alone.ts'],
    bundle: true,
    write: false,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    legalComments: 'none',
  });
  return outputFiles[0]?.contents.byteLength ?? 0;
}
