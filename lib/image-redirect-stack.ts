/** The whole service as one stack: stores, functions, API, monitoring. */

import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { variables } from '../lambda/contract/environment';
import { outputs } from '../lambda/contract/outputs';
import { routes } from '../lambda/contract/routes';
import { ImageApi } from './api/image-api';
import { tierKeyValues } from './api/throttling';
import { Generator } from './functions/generator';
import { ServiceFunction } from './functions/node-function';
import { Redirect } from './functions/redirect';
import { Renderer } from './functions/renderer';
import { Sweeper } from './functions/sweeper';
import { Monitoring } from './monitoring/monitoring';
import type { Stage } from './stage';
import { stageVariables } from './stage-settings';
import { ImageLibrary } from './stores/image-library';
import { IpHashSecret, ProviderSecrets, SignerSecret } from './stores/secrets';
import {
  ApiKeys,
  Cache,
  GenerationIndex,
  ProtectedTables,
  QuotaCounters,
  StockMemory,
} from './stores/tables';

export interface ImageRedirectStackProps extends StackProps {
  readonly stage: Stage;
}

export class ImageRedirectStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: ImageRedirectStackProps) {
    super(scope, id, { terminationProtection: stage.keepsData, ...props });

    const apiKeys = new ApiKeys(this, stage);
    const quotaCounters = new QuotaCounters(this, stage);
    const stockMemory = new StockMemory(this, stage);
    const cache = new Cache(this, stage);
    const generationIndex = new GenerationIndex(this, stage);
    const imageLibrary = new ImageLibrary(this, 'ImageLibrary', stage);
    const ipHashSecret = new IpHashSecret(this, stage);
    const signerSecret = new SignerSecret(this, stage);
    const providerSecrets = new ProviderSecrets(this, stage);

    const authorizer = new ServiceFunction(this, 'authorizer', {
      stage,
      description: 'Resolves the API key of a request to its account, plan and tier',
      concurrency: stage.authorizerConcurrency,
      shifts: true,
    });
    apiKeys.grantFind(authorizer);
    authorizer.addEnvironment(variables.tierKeys, this.toJsonString(tierKeyValues(this)));
    const renderer = new Renderer(this, { stage, imageLibrary, cache, providerSecrets });
    const stores = { stage, quotaCounters, generationIndex, imageLibrary, providerSecrets };
    const generator = new Generator(this, stores);
    const redirect = new Redirect(this, {
      ...stores,
      stockMemory,
      cache,
      ipHashSecret,
      signerSecret,
      renderer,
      generator,
    });
    const sweeper = new Sweeper(this, stores);
    const usage = new ServiceFunction(this, 'usage', {
      stage,
      description: 'Tells an account what it used',
      shifts: true,
    });
    quotaCounters.grantReport(usage);
    apiKeys.grantList(usage);
    const docs = new ServiceFunction(this, 'docs', {
      stage,
      description: 'Serves the documentation page, openapi.json and llms.txt',
      shifts: true,
    });

    const api = new ImageApi(this, 'ImageApi', { stage, authorizer, functions: { redirect, usage, docs } });
    const functions = [authorizer, redirect, renderer, generator, sweeper, usage, docs];
    const monitoring = new Monitoring(this, 'Monitoring', { stage, api, functions, sweeper });
    const tables = [apiKeys, quotaCounters, stockMemory, generationIndex].map(({ table }) => table);
    new ProtectedTables(this, stage, tables, [api.deploymentStage, imageLibrary.cdn, monitoring]);

    const { plans, slotBindings, providerEndpoints, providerQuotas, contact, generationsPerDay } =
      stageVariables(stage);
    const values = {
      [outputs.tryIt]: `${api.baseUrl}${routes.image}/1200x800-mountain-lake`,
      [outputs.apiUrl]: api.baseUrl,
      [outputs.imageUrl]: imageLibrary.cdn.baseUrl,
      [outputs.imageHost]: imageLibrary.cdn.host,
      [outputs.apiKeysTable]: apiKeys.tableName,
      [outputs.quotaCountersTable]: quotaCounters.tableName,
      [outputs.stockMemoryTable]: stockMemory.table.tableName,
      [outputs.cacheTable]: cache.table.tableName,
      [outputs.imageBucket]: imageLibrary.bucket.bucketName,
      [outputs.signerSecret]: signerSecret.secretId,
      [outputs.plans]: plans,
      [outputs.generationsPerDay]: generationsPerDay ?? 'off',
      [outputs.stockProviders]: this.toJsonString({
        [variables.slotBindings]: slotBindings,
        [variables.providerEndpoints]: providerEndpoints,
        [variables.providerQuotas]: providerQuotas,
        ...(contact === undefined ? {} : { [variables.contact]: contact }),
        ...providerSecrets.stockVariables,
      }),
    };
    for (const [name, value] of Object.entries(values)) new CfnOutput(this, name, { value });
  }
}
