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

/** The stack of one stage. Its name is a part of global names, so that two stacks fit in one account. */
export class ImageRedirectStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: ImageRedirectStackProps) {
    super(scope, id, { terminationProtection: stage.keepsData, ...props });

    const tables = addTables(this, stage);
    const secrets = addSecrets(this, stage);
    const keyMaker = new KeyMaker(this, stage, secrets);
    const bucket = addImageBucket(this, stage);
    // Casts to interfaces, here and below: the CDK's classes disagree with them on exact optional properties.
    const cdn = new ImageDistribution(this, stage, bucket as IBucket, keyMaker);

    const imageApi = new ImageApi(this, stage, keyMaker.keys);
    const edge = stage.edge ? new Edge(this, stage, imageApi.restApiId, secrets.addresses) : undefined;
    const { api: domain } = stage.domains;
    const domainUrl = domain && !edge ? addApiDomain(imageApi, domain) : undefined;
    const baseUrl = edge?.baseUrl ?? domainUrl ?? imageApi.url.replace(/\/$/, '');

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
    const add = (name: FunctionName, moreValues: Readonly<Record<string, string>> = {}) => {
      const fn = addServiceFunction(
        this,
        name,
        stage,
        { ...values, ...moreValues },
        secretsOf(secrets, name, stage),
      );
      grantTables(tables, name, fn);
      grantImages(bucket, name, fn);
      return fn;
    };
    const authorizer = add('authorizer');
    // Providers want to know whom to write to; without a contact they get the URL of the images.
    const renderer = add('renderer', configured.CONTACT === undefined ? { CONTACT: cdn.baseUrl } : {});
    const generator = add('generator');
    const api = add('api', {
      RENDERER_FUNCTION: renderer.functionName,
      GENERATOR_FUNCTION: generator.functionName,
    });
    for (const callee of [renderer, generator]) callee.grantInvoke(api);
    // A repeated event would find that a run has begun; after a crash a request acquires the image anew.
    generator.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.seconds(generatorEventAgeS) });
    grantModel(generator, stage);
    // `executionsOf` reads this quota to bound waiting requests; the action names no resource.
    api.addToRolePolicy(new PolicyStatement({ actions: ['lambda:GetAccountSettings'], resources: ['*'] }));
    EventBus.fromEventBusName(this, 'EventBus', configured.EVENT_BUS).grantPutEventsTo(api);
    // Public files exist before `api` links to them; CloudFront trusts a key before `api` signs with it.
    api.node.addDependency(...publishFiles(this, stage, bucket as IBucket), cdn);

    const live = stage.keepsData ? canaryOf(api) : (api as IFunction);
    const rootUrl = edge?.baseUrl ?? domainUrl ?? 'https://$context.domainName/$context.stage';
    imageApi.serve(authorizer as IFunction, live, rootUrl, configured.CONTACT);
    addFirewall(imageApi, stage, edge && secrets.addresses);
    addAlarms(this, stage, imageApi, generator);

    const stockVariables = {
      SLOT_BINDINGS: configured.SLOT_BINDINGS,
      PROVIDER_QUOTAS: configured.PROVIDER_QUOTAS,
      CONTACT: configured.CONTACT,
      PROVIDER_SECRET_ID: secretsOf(secrets, 'api', stage)['PROVIDER_SECRET_ID']?.secretArn,
    };
    const outputValues = {
      [outputs.tryIt]: `${baseUrl}${routes.image}/1200x800-mountain-lake`,
      [outputs.apiUrl]: baseUrl,
      [outputs.imageBucket]: bucket.bucketName,
      ...Object.fromEntries(tableNames.map(([name, value]) => [outputs[`${name as TableName}Table`], value])),
      [outputs.signerSecret]: secrets.signers.secretArn,
      [outputs.plans]: configured.PLANS,
      [outputs.generationsPerDay]: configured.GENERATIONS_PER_DAY ?? 'off',
      [outputs.stockProviders]: this.toJsonString(stockVariables),
    };
    for (const [name, value] of Object.entries(outputValues)) new CfnOutput(this, name, { value });
  }

  /** Makes logical ids of construct ids, so that a reader of the template finds them in the code. */
  protected override allocateLogicalId(element: CfnElement): string {
    const below = element.node.scopes.slice(this.node.scopes.length).map(({ node }) => node.id);
    return below
      .filter((part) => part !== 'Resource' && part !== 'Default')
      .join('')
      .replace(/[^A-Za-z0-9]/g, '');
  }
}
