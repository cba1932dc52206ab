/** The whole service as one stack: stores, functions, API, monitoring. */

import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { variables } from '../lambda/contract/environment';
import { outputs } from '../lambda/contract/outputs';
import { routes } from '../lambda/contract/routes';
import { asciiJson } from './ascii-json';
import { Authorizer } from './functions/authorizer';
import { Docs } from './functions/docs';
import { Generator } from './functions/generator';
import { Redirect } from './functions/redirect';
import { Renderer } from './functions/renderer';
import { Sweeper } from './functions/sweeper';
import { Usage } from './functions/usage';
import { ImageApi } from './image-api';
import { namespaceOf } from './metrics';
import { Monitoring } from './monitoring';
import { dailyCeilingOf, type Stage } from './stage';
import { stockVariables } from './stock-variables';
import { ApiKeys } from './stores/api-keys';
import { GenerationIndex } from './stores/generation-index';
import { ImageLibrary } from './stores/image-library';
import { IpHashSecret } from './stores/ip-hash-secret';
import { ProtectedTables } from './stores/protected-tables';
import { ProviderSecrets } from './stores/provider-secrets';
import { QuotaCounters } from './stores/quota-counters';
import { SignerSecret } from './stores/signer-secret';
import { Cache, StockMemory } from './stores/stock-memory';

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

    const authorizer = new Authorizer(this, { stage, apiKeys });
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
    const usage = new Usage(this, { stage, apiKeys, quotaCounters });
    const docs = new Docs(this, stage);

    const api = new ImageApi(this, 'ImageApi', { stage, authorizer, functions: { redirect, usage, docs } });
    const functions = [authorizer, redirect, renderer, generator, sweeper, usage, docs];
    const monitoring = new Monitoring(this, 'Monitoring', { stage, api, functions, sweeper });
    for (const fn of [authorizer, redirect, renderer, generator, sweeper, usage])
      fn.addEnvironment(variables.metricNamespace, namespaceOf(this));
    const tables = [apiKeys, quotaCounters, stockMemory, generationIndex].map(({ table }) => table);
    new ProtectedTables(this, stage, tables, [api.deploymentStage, imageLibrary.cdn, monitoring]);

    const values = {
      [outputs.tryIt]: `${api.baseUrl}${routes.image}/1200x800-mountain-lake`,
      [outputs.apiUrl]: api.baseUrl,
      [outputs.imageUrl]: imageLibrary.cdn.baseUrl,
      [outputs.imageHost]: imageLibrary.cdn.host,
      [outputs.apiKeysTable]: apiKeys.tableName,
      [outputs.quotaCountersTable]: quotaCounters.tableName,
      [outputs.stockMemoryTable]: stockMemory.table.tableName,
      [outputs.cacheTable]: cache.table.tableName,
      [outputs.signerSecret]: signerSecret.secretId,
      [outputs.plans]: asciiJson(stage.plans),
      [outputs.generationsPerDay]: String(dailyCeilingOf(stage) ?? 'off'),
      [outputs.stockProviders]: this.toJsonString({
        ...stockVariables(stage),
        ...providerSecrets.stockVariables,
      }),
    };
    for (const [name, value] of Object.entries(values)) new CfnOutput(this, name, { value });
  }
}
