/** The whole service as one stack: stores, functions, API, monitoring. */

import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { variables } from '../lambda/contract/environment';
import { outputs } from '../lambda/contract/outputs';
import { routes } from '../lambda/contract/routes';
import { ImageApi } from './api/image-api';
import { tierKeyValues } from './api/throttling';
import { Generator } from './functions/generator';
import { Redirect } from './functions/redirect';
import { Renderer } from './functions/renderer';
import { ServiceFunction } from './functions/service-function';
import { Monitoring } from './monitoring/monitoring';
import type { Stage } from './stage';
import { stageVariables } from './stage-settings';
import { ContentCredentials } from './stores/content-credentials';
import { ImageLibrary } from './stores/image-library';
import { IpHashSecret, ProviderSecrets, SignerSecret } from './stores/secrets';
import { ProtectedTables, Tables } from './stores/tables';

interface ImageRedirectStackProps extends StackProps {
  readonly stage: Stage;
}

/** One stack per stage; its name is a part of the names in it. */
export class ImageRedirectStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: ImageRedirectStackProps) {
    super(scope, id, { terminationProtection: stage.keepsData, ...props });

    const tables = new Tables(this, stage);
    const imageLibrary = new ImageLibrary(this, 'ImageLibrary', stage);
    const ipHashSecret = new IpHashSecret(this, stage);
    const signerSecret = new SignerSecret(this, stage);
    const providerSecrets = new ProviderSecrets(this, stage);

    const contentCredentials = new ContentCredentials(this, 'ContentCredentials', stage);

    const authorizer = new ServiceFunction(this, 'authorizer', {
      stage,
      tables,
      description: 'Resolves the API key of a request to its account, plan and tier',
      concurrency: stage.authorizerConcurrency,
      shifts: true,
    });
    authorizer.addEnvironment(variables.tierKeys, this.toJsonString(tierKeyValues(this)));
    const renderer = new Renderer(this, { stage, imageLibrary, tables, providerSecrets });
    contentCredentials.grantSign(renderer);
    const stores = { stage, tables, imageLibrary, providerSecrets };
    const generator = new Generator(this, stores);
    const redirect = new Redirect(this, {
      ...stores,
      ipHashSecret,
      signerSecret,
      renderer,
      generator,
    });
    const usage = new ServiceFunction(this, 'usage', {
      stage,
      tables,
      description: 'Tells an account what it used',
      shifts: true,
    });
    const docs = new ServiceFunction(this, 'docs', {
      stage,
      tables,
      description: 'Serves the documentation page, openapi.json and llms.txt',
      shifts: true,
    });
    contentCredentials.publishBy(docs);
    imageLibrary.grantNameFiles(docs);

    const api = new ImageApi(this, 'ImageApi', { stage, authorizer, functions: { redirect, usage, docs } });
    const functions = [authorizer, redirect, renderer, generator, usage, docs];
    const monitoring = new Monitoring(this, 'Monitoring', { stage, api, functions });
    new ProtectedTables(this, stage, tables, [api.deploymentStage, imageLibrary.cdn, monitoring]);

    const configured = stageVariables(stage);
    const values = {
      [outputs.tryIt]: `${api.baseUrl}${routes.image}/1200x800-mountain-lake`,
      [outputs.apiUrl]: api.baseUrl,
      [outputs.imageUrl]: imageLibrary.cdn.baseUrl,
      [outputs.imageBucket]: imageLibrary.bucket.bucketName,
      [outputs.imageDistribution]: imageLibrary.cdn.distributionId,
      [outputs.imageHost]: imageLibrary.cdn.host,
      [outputs.apiKeysTable]: tables.all.apiKeys.tableName,
      [outputs.quotaCountersTable]: tables.all.quotaCounters.tableName,
      [outputs.imagesTable]: tables.all.images.tableName,
      [outputs.cacheTable]: tables.all.cache.tableName,
      [outputs.generationIndexTable]: tables.all.generationIndex.tableName,
      [outputs.signerSecret]: signerSecret.secretId,
      [outputs.plans]: configured.PLANS,
      [outputs.generationsPerDay]: configured.GENERATIONS_PER_DAY ?? 'off',
      [outputs.stockProviders]: this.toJsonString({
        [variables.slotBindings]: configured.SLOT_BINDINGS,
        [variables.providerEndpoints]: configured.PROVIDER_ENDPOINTS,
        [variables.providerQuotas]: configured.PROVIDER_QUOTAS,
        [variables.imageDelivery]: configured.IMAGE_DELIVERY,
        ...(stage.contact === undefined ? {} : { [variables.contact]: stage.contact }),
        ...providerSecrets.stockVariables,
      }),
    };
    for (const [name, value] of Object.entries(values)) new CfnOutput(this, name, { value });
  }
}
