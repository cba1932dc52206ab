/** Builds the stack of the whole service: stores, functions, API, alarms. */

import { type CfnElement, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { FunctionName } from '../lambda/contract/functions';
import { outputs } from '../lambda/contract/outputs';
import { routes } from '../lambda/contract/routes';
import { tableNames, tableVariables } from '../lambda/contract/tables';
import { generatorEventAgeS } from '../lambda/contract/timeouts';
import { addFirewall } from './api/firewall';
import { ImageApi, makeTierKeys } from './api/image-api';
import { addApiDomain } from './domains';
import { addEdge } from './edge/edge';
import { addCanary } from './functions/canary';
import { addServiceFunction, grantModel } from './functions/service-functions';
import { addKeyMaker } from './key-maker/key-maker';
import { addAlarms } from './monitoring';
import { addOutputs } from './outputs';
import type { Stage } from './stage';
import { listStageVariables } from './stage-settings';
import { addImageDistribution } from './stores/image-distribution';
import { addImageBucket, grantImages } from './stores/images';
import { publishFiles } from './stores/publish';
import { addSecrets, chooseSecrets } from './stores/secrets';
import { addTables, grantTables } from './stores/tables';

/** The stack of one stage. Global names contain its name, so that two stacks fit in one account. */
export class ImageRedirectStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: StackProps & { readonly stage: Stage }) {
    super(scope, id, { terminationProtection: stage.keepsData, ...props });
    const stores = addStores(this, stage);
    const imageApi = new ImageApi(this, stage, stores.keys);
    const proof = stage.edge ? stores.secrets.addresses : undefined;
    const edgeUrl = proof && addEdge(this, stage, imageApi.restApiId, proof);
    const { api: domain } = stage.domains;
    const rootUrl = edgeUrl ?? (domain && addApiDomain(imageApi, domain));
    const functions = addFunctions(this, stage, stores, edgeUrl);
    const { authorizer, api } = functions;
    const live = stage.keepsData ? addCanary(api) : (api as IFunction);
    const gatewayUrl = 'https://$context.domainName/$context.stage';
    imageApi.serve(authorizer as IFunction, live, rootUrl ?? gatewayUrl, stage.site.contact);
    addFirewall(imageApi, stage, proof);
    addAlarms(this, stage, imageApi, functions);
    addServiceOutputs(this, stage, stores, rootUrl ?? imageApi.url.replace(/\/$/, ''));
  }

  /** Joins construct ids to a logical id, so that a reader of the template finds them in the code. */
  protected override allocateLogicalId(element: CfnElement): string {
    const scopes = element.node.scopes.slice(this.node.scopes.length);
    const ids = scopes.map(({ node }) => node.id).filter((id) => id !== 'Resource' && id !== 'Default');
    return ids.join('').replace(/[^A-Za-z0-9]/g, '');
  }
}

/** Adds tables, secrets and bucket, and the distribution of the images with its keys. */
function addStores(stack: Stack, stage: Stage) {
  const tables = addTables(stack, stage);
  const secrets = addSecrets(stack, stage);
  const keys = addKeyMaker(stack, stage, secrets);
  const bucket = addImageBucket(stack, stage);
  // The casts here and below are needed: the CDK's classes and interfaces differ in exact optional properties.
  const cdn = addImageDistribution(stack, stage, bucket as IBucket, [...secrets.urlKeys.keys()], keys);
  return { tables, secrets, keys, bucket, cdn };
}

type StackStores = ReturnType<typeof addStores>;

function addFunctions(stack: Stack, stage: Stage, stores: StackStores, edgeUrl: string | undefined) {
  const { tables, secrets, keys, bucket, cdn } = stores;
  const sharedVariables = {
    ...listStageVariables(stage),
    ...Object.fromEntries(tableNames.map((name) => [tableVariables[name], tables[name].tableName])),
    METRIC_NAMESPACE: stack.stackName,
    TIER_KEYS: stack.toJsonString(makeTierKeys(stack)),
    IMAGE_BASE_URL: cdn.baseUrl,
    IMAGE_STORE: `s3://${bucket.bucketName}`,
    SIGNING_KEY_PAIR_ID: cdn.keyPairId,
    CONTENT_CERTIFICATES: secrets.contentKeys.size > 0 ? keys.getAttString('Certificates') : undefined,
    ROOT_URL: edgeUrl,
    EDGE_SHA256: edgeUrl && keys.getAttString('Hash'),
  };
  const addGrantedFunction = (name: FunctionName, ownVariables: Readonly<Record<string, string>> = {}) => {
    const environment = { ...sharedVariables, ...ownVariables };
    const ownSecrets = chooseSecrets(secrets, name, stage);
    const serviceFunction = addServiceFunction(stack, name, stage, environment, ownSecrets);
    grantTables(tables, name, serviceFunction);
    grantImages(bucket, name, serviceFunction);
    return serviceFunction;
  };
  const authorizer = addGrantedFunction('authorizer');
  // Providers want an address to write to. Without a contact they get the URL of the images.
  const renderer = addGrantedFunction('renderer', { CONTACT: sharedVariables.CONTACT ?? cdn.baseUrl });
  const generator = addGrantedFunction('generator');
  const api = addGrantedFunction('api', {
    RENDERER_FUNCTION: renderer.functionName,
    GENERATOR_FUNCTION: generator.functionName,
  });
  for (const callee of [renderer, generator]) callee.grantInvoke(api);
  // No event is repeated, because a repeated one would find that a run has begun. The next request acquires the
  // image of a crashed run.
  generator.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.seconds(generatorEventAgeS) });
  grantModel(generator, stage);
  // `readExecutions` reads this quota to bound waiting requests; the action names no resource.
  api.addToRolePolicy(new PolicyStatement({ actions: ['lambda:GetAccountSettings'], resources: ['*'] }));
  EventBus.fromEventBusName(stack, 'EventBus', sharedVariables.EVENT_BUS).grantPutEventsTo(api);
  // Public files must exist before `api` links to them. CloudFront must trust a key before `api` signs with it.
  api.node.addDependency(...publishFiles(stack, stage, bucket as IBucket, cdn.distribution), cdn.trust);
  return { authorizer, api, generator };
}

/** Adds the outputs that the CLI reads. The service's URL has no trailing slash. */
function addServiceOutputs(stack: Stack, stage: Stage, stores: StackStores, baseUrl: string): void {
  const { tables, secrets, bucket } = stores;
  const { SLOT_BINDINGS, PROVIDER_QUOTAS, CONTACT, PLANS, GENERATIONS_PER_DAY } = listStageVariables(stage);
  const PROVIDER_SECRET_ID = chooseSecrets(secrets, 'api', stage).PROVIDER_SECRET_ID?.secretArn;
  const providers = { SLOT_BINDINGS, PROVIDER_QUOTAS, CONTACT, PROVIDER_SECRET_ID };
  addOutputs(stack, {
    [outputs.tryIt]: `${baseUrl}${routes.image}/1200x800-mountain-lake`,
    [outputs.apiUrl]: baseUrl,
    [outputs.imageBucket]: bucket.bucketName,
    ...Object.fromEntries(tableNames.map((name) => [outputs[`${name}Table`], tables[name].tableName])),
    [outputs.signerSecret]: secrets.signers.secretArn,
    [outputs.plans]: PLANS,
    [outputs.generationsPerDay]: GENERATIONS_PER_DAY ?? 'off',
    [outputs.stockProviders]: stack.toJsonString(providers),
  });
}
