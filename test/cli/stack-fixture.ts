/** A fake of a deployed stack: its outputs, its tables in the embedded engine, its bucket, and who calls. */

import type { IncomingHttpHeaders } from 'node:http';
import { localNames } from '../../cli/local-services';
import { outputs } from '../../lambda/contract/outputs';
import { listenOnLoopback } from '../fakes/loopback';
import { startScriptedS3 } from '../fakes/scripted-s3';
import { type LocalFixture, startLocalFixture } from './local-fixture';
import { type Ended, runTool } from './run-tool';
import {
  type ScriptedCloudFormation,
  type ScriptedStack,
  startCloudFormation,
} from './scripted-cloudformation';

export interface StackFixture {
  readonly local: LocalFixture;
  readonly cloudFormation: ScriptedCloudFormation;
  /** Region of each request to S3 and STS. */
  regions(): readonly (string | undefined)[];
  /** Distribution and paths of each invalidation. */
  readonly invalidated: readonly (readonly [distribution: string, ...paths: string[]])[];
  /** Runs the tool where the stack `Images` is. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  stop(): Promise<void>;
}

const SLOT_BINDINGS = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' };

/** ARN of whoever runs the tool. */
export const principal = 'arn:aws:sts::123456789012:assumed-role/Ops/jane';

/** @param others stacks beside `Images`, which has no secret of signers, `Signing`, which has one, and `Unsigned`, whose is empty */
export async function startStackFixture(
  others: Readonly<Record<string, ScriptedStack>> = {},
): Promise<StackFixture> {
  const s3 = await startScriptedS3();
  const identified: { readonly headers: IncomingHttpHeaders }[] = [];
  const sts = await listenOnLoopback((request, response) => {
    identified.push(request);
    response
      .writeHead(200, { 'Content-Type': 'text/xml' })
      .end(
        `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${principal}</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`,
      );
  });
  const invalidated: [string, ...string[]][] = [];
  const cloudFront = await listenOnLoopback(async (request, response) => {
    const [, distribution = ''] = /\/distribution\/([^/]+)\/invalidation$/.exec(request.url ?? '') ?? [];
    const body = Buffer.concat(await request.toArray()).toString();
    invalidated.push([distribution, ...[...body.matchAll(/<Path>([^<]*)/g)].map(([, path = '']) => path)]);
    response.writeHead(201, { 'Content-Type': 'text/xml' }).end('<Invalidation/>');
  });
  const local = await startLocalFixture();
  const { apiKeys, quotaCounters, images: imagesTable, cache, generationIndex } = local.engine.tableNames;
  const images = {
    [outputs.apiKeysTable]: apiKeys,
    [outputs.quotaCountersTable]: quotaCounters,
    [outputs.imagesTable]: imagesTable,
    [outputs.cacheTable]: cache,
    [outputs.generationIndexTable]: generationIndex,
    [outputs.stockProviders]: JSON.stringify({ SLOT_BINDINGS }),
    [outputs.imageDistribution]: 'IMAGES',
    [outputs.edgeDistribution]: 'EDGE',
    [outputs.plans]: '{"free":{"monthlyRequests":2000}}',
    [outputs.imageBucket]: 'images',
    [outputs.generationsPerDay]: '50',
  };
  const cloudFormation = await startCloudFormation(() => ({
    Images: images,
    Signing: { ...images, [outputs.signerSecret]: localNames.signerSecret },
    Unsigned: { ...images, [outputs.signerSecret]: 'the-secret' },
    ...others,
  }));
  return {
    local,
    cloudFormation,
    invalidated,
    regions: () =>
      [...identified, ...s3.requests].map(
        ({ headers }) => /Credential=[^/]+\/\d+\/([\w-]+)/.exec(headers.authorization ?? '')?.[1],
      ),
    run: (args, env) =>
      runTool(args, {
        cwd: local.folder,
        env: {
          AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.address,
          AWS_ENDPOINT_URL_CLOUDFRONT: cloudFront.address,
          AWS_ENDPOINT_URL_DYNAMODB: local.engine.endpoint,
          AWS_ENDPOINT_URL_S3: s3.endpoint,
          AWS_ENDPOINT_URL_SECRETS_MANAGER: local.url,
          AWS_ENDPOINT_URL_STS: sts.address,
          ...env,
        },
      }),
    stop: async () => {
      await sts.stop();
      await cloudFront.stop();
      await s3.stop();
      await cloudFormation.stop();
      await local.stop();
    },
  };
}
