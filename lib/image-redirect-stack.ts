/** The whole service as one stack: stores, functions, API, monitoring. */

import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { variables } from '../lambda/contract/environment';
import { outputs } from '../lambda/contract/outputs';
import { routes } from '../lambda/contract/routes';
import { generatorEventAgeS } from '../lambda/contract/timeouts';
import { addFirewall } from './api/firewall';
import { ImageApi, tierKeyValues } from './api/image-api';
import { clientPackagePath } from './client-package';
import { addApiDomain } from './domains';
import { Edge } from './edge/edge';
import { examplesFolder } from './example-images';
import { canaryOf } from './functions/canary';
import { grantAnnounce, grantModel, grantReadExecutions } from './functions/grants';
import { ServiceFunction } from './functions/service-function';
import { KeyMaker } from './key-maker';
import { Monitoring } from './monitoring/monitoring';
import type { Stage } from './stage';
import { stageVariables } from './stage-settings';
import { ImageBucket, ImageDistribution } from './stores/images';
import { Secrets } from './stores/secrets';
import { Tables } from './stores/tables';

interface ImageRedirectStackProps extends StackProps {
  readonly stage: Stage;
}

/** One stack per stage; its name is a part of the names in it. */
export class ImageRedirectStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: ImageRedirectStackProps) {
    super(scope, id, { terminationProtection: stage.keepsData, ...props });

    const tables = new Tables(this, stage);
    const secrets = new Secrets(this, stage);
    const keyMaker = new KeyMaker(this, stage, secrets);
    const bucket = new ImageBucket(this, stage);
    const publicFiles = keyMaker.publishFiles(bucket as IBucket);
    const cdn = new ImageDistribution(this, stage, bucket, keyMaker);

    const authorizer = new ServiceFunction(this, 'authorizer', stage);
    const api = new ServiceFunction(this, 'api', stage);
    const renderer = new ServiceFunction(this, 'renderer', stage);
    const generator = new ServiceFunction(this, 'generator', stage);
    const functions = { authorizer, api, renderer, generator };

    const imageApi = new ImageApi(this, stage, keyMaker);
    const edge = stage.edge ? new Edge(this, stage, imageApi.restApiId, secrets.addresses) : undefined;
    const { api: domain } = stage.domains;
    const ownUrl = domain && !edge ? addApiDomain(imageApi, domain) : undefined;
    const baseUrl = edge?.baseUrl ?? ownUrl ?? imageApi.url.replace(/\/$/, '');

    const configured = stageVariables(stage);
    const values = {
      ...configured,
      ...tables.variables,
      METRIC_NAMESPACE: this.stackName,
      [variables.tierKeys]: this.toJsonString(tierKeyValues(this)),
      [variables.imageBaseUrl]: cdn.baseUrl,
      [variables.imageStore]: `s3://${bucket.bucketName}`,
      [variables.clientPackageUrl]: `${cdn.baseUrl}/${clientPackagePath()}`,
      [variables.examplesUrl]: `${cdn.baseUrl}/${examplesFolder()}`,
      [variables.rendererFunction]: renderer.functionName,
      [variables.generatorFunction]: generator.functionName,
      [variables.signingKeyPairId]: cdn.keyPairId,
      [variables.contentCertificates]: secrets.contentKeys.size > 0 ? keyMaker.certificates : undefined,
      [variables.rootUrl]: edge?.baseUrl,
      [variables.edgeHash]: edge && keyMaker.edgeHash,
    };
    for (const [name, fn] of Object.entries(functions) as [keyof typeof functions, ServiceFunction][]) {
      // Providers want to know whom to write to; the images' own URL is better than none.
      const contact = name === 'renderer' ? cdn.baseUrl : undefined;
      fn.setEnvironment({ ...values, [variables.contact]: configured.CONTACT ?? contact });
      fn.readSecrets(secrets.readBy(name));
      tables.grant(fn, name);
    }
    bucket.grant(functions);
    api.call(renderer);
    api.call(generator);
    // A repeated event would find that a run has begun, and end; what crashed is made again when its lease is over.
    generator.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.seconds(generatorEventAgeS) });
    grantReadExecutions(api);
    grantAnnounce(api, configured.EVENT_BUS);
    grantModel(generator, stage);
    // Files are there before a function names them, and a key is trusted before anything signs with it.
    api.node.addDependency(publicFiles, cdn);

    const live = stage.keepsData ? canaryOf(api) : (api as IFunction);
    const rootUrl = edge?.baseUrl ?? ownUrl ?? 'https://$context.domainName/$context.stage';
    imageApi.serve(authorizer as IFunction, live, rootUrl, configured.CONTACT);
    addFirewall(imageApi, stage, edge && secrets.addresses);
    new Monitoring(this, stage, imageApi, functions);

    const stockVariables = [
      variables.slotBindings,
      variables.providerQuotas,
      variables.imageDelivery,
      variables.contact,
    ] as const;
    const said = {
      [outputs.tryIt]: `${baseUrl}${routes.image}/1200x800-mountain-lake`,
      [outputs.apiUrl]: baseUrl,
      [outputs.imageBucket]: bucket.bucketName,
      [outputs.apiKeysTable]: tables.all.apiKeys.tableName,
      [outputs.quotaCountersTable]: tables.all.quotaCounters.tableName,
      [outputs.imagesTable]: tables.all.images.tableName,
      [outputs.cacheTable]: tables.all.cache.tableName,
      [outputs.generationIndexTable]: tables.all.generationIndex.tableName,
      [outputs.signerSecret]: secrets.signers.secretArn,
      [outputs.plans]: configured.PLANS,
      [outputs.generationsPerDay]: configured.GENERATIONS_PER_DAY ?? 'off',
      [outputs.stockProviders]: this.toJsonString({
        ...Object.fromEntries(stockVariables.map((name) => [name, configured[name]])),
        [variables.providerSecretId]: secrets.readBy('api')[variables.providerSecretId]?.secretArn,
      }),
    };
    for (const [name, value] of Object.entries(said)) new CfnOutput(this, name, { value });
  }
}
