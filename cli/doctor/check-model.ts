/** Checks whether a model on Bedrock can be invoked: its life on Bedrock, and the account's access to it. */

import type { GeneratorFacts } from '../../lambda/contract/generators';
import type { Account } from './account';
import { type Check, failure, pass, type Verdict, warning } from './finding';

/** @param nowMs moment (epoch, milliseconds) */
export function modelChecks(
  account: Account,
  { modelId, region }: NonNullable<GeneratorFacts['bedrockModel']>,
  nowMs: number,
): Check[] {
  return [
    { name: 'model lifecycle', examine: () => lifecycle(account, modelId, region, nowMs) },
    { name: 'model access', examine: () => access(account, modelId, region) },
  ];
}

async function lifecycle(account: Account, modelId: string, region: string, nowMs: number): Promise<Verdict> {
  const other = `aws bedrock list-foundation-models --region ${region} --by-output-modality IMAGE --query "modelSummaries[?modelLifecycle.status=='ACTIVE'].modelId", then set generator.modelId`;
  switch (await account.modelLifecycle(modelId, region, nowMs)) {
    case 'active':
      return pass(`${modelId} is active in ${region}`);
    case 'legacy':
      return warning(`${modelId} is legacy and will be retired`, other);
    case 'end_of_life':
      return failure(`${modelId} has been retired`, other);
    case 'absent':
      return failure(`${region} has no model ${modelId}`, other);
    case 'unknown':
      return warning(
        `Bedrock in ${region} could not be asked about ${modelId}`,
        'Allow bedrock:GetFoundationModel, and run doctor again.',
      );
  }
}

async function access(account: Account, modelId: string, region: string): Promise<Verdict> {
  const { isAuthorized, isInRegion, isEntitled, isAgreed } = await account.modelAvailability(modelId, region);
  const model = `${modelId} in ${region}`;
  if (!isInRegion)
    return failure(`${model} is not available to this account`, 'Set generator.region or generator.modelId.');
  if (!isAuthorized)
    return failure(
      `the account is not authorized for ${model}`,
      'Allow bedrock:InvokeModel in the policies of the organization.',
    );
  if (!isAgreed || !isEntitled)
    return warning(
      `the account has no agreement for ${model} yet; its first call makes one, which needs a payment method and up to 15 minutes`,
      `aws bedrock-runtime invoke-model --region ${region} --model-id ${modelId} --cli-binary-format raw-in-base64-out --body '{"prompt":"a lake"}' image.json`,
    );
  return pass(`${model} is available`);
}
