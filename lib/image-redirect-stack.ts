/** The whole service as one stack: stores, functions, API, alarms. */

import { type CfnElement, CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { tableVariables } from '../lambda/contract/environment';
import type { FunctionName } from '../lambda/contract/functions';
import { outputs } from '../lambda/contract/outputs';
import { routes } from '../lambda/contract/routes';
import type { TableName } from '../lambda/contract/tables';
import { generatorEventAgeS } from '../lambda/contract/timeouts';
import { addFirewall } from './api/firewall';
import { ImageApi, tierKeyValues } from './api/image-api';
import { addApiDomain } from './domains';
import { Edge } from './edge/edge';
import { canaryOf } from './functions/canary';
import { addServiceFunction, grantModel } from './functions/service-functions';
import { KeyMaker } from './key-maker';
import { addAlarms } from './monitoring';
import type { Stage } from './stage';
import { stageVariables } from './stage-settings';
import { ImageDistribution } from './stores/image-distribution';
import { addImageBucket, grantImages } from './stores/images';
import { publishFiles } from './stores/publish';
import { addSecrets, secretsOf } from './stores/secrets';
import { addTables, grantTables } from './stores/tables';

interface ImageRedirectStackProps extends StackProps {
  readonly stage: Stage;
}

/** One stack per stage; its name is a part of the names in it. */
export class ImageRedirectStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: ImageRedirectStackProps) {
    super(scope, id, { terminationProtection: stage.keepsData, ...props });

    const tables = addTables(this, stage);
    const secrets = addSecrets(this, stage);
    const keyMaker = new KeyMaker(this, stage, secrets);
    // The CDK's classes and interfaces disagree on exact optional properties.
    const bucket = addImageBucket(this, stage);
    const cdn = new ImageDistribution(this, stage, bucket as IBucket, keyMaker);

    const imageApi = new ImageApi(this, stage, keyMaker.keys);
    const edge = stage.edge ? new Edge(this, stage, imageApi.restApiId, secrets.addresses) : undefined;
    const { api: domain } = stage.domains;
    const ownUrl = domain && !edge ? addApiDomain(imageApi, domain) : undefined;
    const baseUrl = edge?.baseUrl ?? ownUrl ?? imageApi.url.replace(/\/$/, '');

    const configured = stageVariables(stage);
    const tableNames = Object.entries(tables).map(([name, table]) => [name, table.tableName] as const);
    const values = {
      ...configured,
      ...Object.fromEntries(tableNames.map(([name, value]) => [tableVariables[name as TableName], value])),
      METRIC_NAMESPACE: this.stackName,
      TIER_KEYS: this.toJsonString(tierKeyValues(this)),
      IMAGE_BASE_URL: cdn.baseUrl,
      IMAGE_STORE: `s3://${bucket.bucketName}`,
      SIGNING_KEY_PAIR_ID: cdn.keyPairId,
      CONTENT_CERTIFICATES: secrets.contentKeys.size > 0 ? keyMaker.attribute('Certificates') : undefined,
      ROOT_URL: edge?.baseUrl,
      EDGE_SHA256: edge && keyMaker.attribute('Hash'),
    };
    const add = (name: FunctionName, own: Readonly<Record<string, string>> = {}) => {
      const fn = addServiceFunction(
        this,
        name,
        stage,
        { ...values, ...own },
        secretsOf(secrets, name, stage),
      );
      grantTables(tables, name, fn);
      grantImages(bucket, name, fn);
      return fn;
    };
    const authorizer = add('authorizer');
    // Providers want to know whom to write to; the images' own URL is better than none.
    const renderer = add('renderer', configured.CONTACT === undefined ? { CONTACT: cdn.baseUrl } : {});
    const generator = add('generator');
    const invoked = {
      RENDERER_FUNCTION: renderer.functionName,
      GENERATOR_FUNCTION: generator.functionName,
    };
    const api = add('api', invoked);
    for (const callee of [renderer, generator]) callee.grantInvoke(api);
    // A repeated event would find that a run has begun, and end; what crashed is made again when its lease is over.
    generator.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.seconds(generatorEventAgeS) });
    grantModel(generator, stage);
    // By the executions of the account, waiting is bounded; the call has no resource to name.
    api.addToRolePolicy(new PolicyStatement({ actions: ['lambda:GetAccountSettings'], resources: ['*'] }));
    EventBus.fromEventBusName(this, 'EventBus', configured.EVENT_BUS).grantPutEventsTo(api);
    // Files are there before a function names them, and a key is trusted before anything signs with it.
    api.node.addDependency(...publishFiles(this, stage, bucket as IBucket), cdn);

    const live = stage.keepsData ? canaryOf(api) : (api as IFunction);
    const rootUrl = edge?.baseUrl ?? ownUrl ?? 'https://$context.domainName/$context.stage';
    imageApi.serve(authorizer as IFunction, live, rootUrl, configured.CONTACT);
    addFirewall(imageApi, stage, edge && secrets.addresses);
    addAlarms(this, stage, imageApi, generator);

    const stockVariables = {
      SLOT_BINDINGS: configured.SLOT_BINDINGS,
      PROVIDER_QUOTAS: configured.PROVIDER_QUOTAS,
      CONTACT: configured.CONTACT,
      PROVIDER_SECRET_ID: secretsOf(secrets, 'api', stage)['PROVIDER_SECRET_ID']?.secretArn,
    };
    const said = {
      [outputs.tryIt]: `${baseUrl}${routes.image}/1200x800-mountain-lake`,
      [outputs.apiUrl]: baseUrl,
      [outputs.imageBucket]: bucket.bucketName,
      ...Object.fromEntries(tableNames.map(([name, value]) => [outputs[`${name as TableName}Table`], value])),
      [outputs.signerSecret]: secrets.signers.secretArn,
      [outputs.plans]: configured.PLANS,
      [outputs.generationsPerDay]: configured.GENERATIONS_PER_DAY ?? 'off',
      [outputs.stockProviders]: this.toJsonString(stockVariables),
    };
    for (const [name, value] of Object.entries(said)) new CfnOutput(this, name, { value });
  }

  /** The ids of a resource's constructs, so that a reader of the template finds each in the code; moving one replaces it. */
  protected override allocateLogicalId(element: CfnElement): string {
    const below = element.node.scopes.slice(this.node.scopes.length).map(({ node }) => node.id);
    return below
      .filter((part) => part !== 'Resource' && part !== 'Default')
      .join('')
      .replace(/[^A-Za-z0-9]/g, '');
  }
}
