/** Values of branded types as a test makes them up, well-formed or not. */

import type { KeyHash } from '../../lambda/credentials/api-key';
import type { AccountId } from '../../lambda/credentials/caller';
import type { AllowedOrigin } from '../../lambda/credentials/site-key';
import type { ImageKey } from '../../lambda/generation/ai-image-identity';
import type { ProviderUrl } from '../../lambda/images/allowed-url';
import type { DeliveryUrl } from '../../lambda/images/image';
import type { StoredPath } from '../../lambda/images/stored-path';

export const accountId = (text: string) => text as AccountId;
export const keyHash = (text: string) => text as KeyHash;
export const allowedOrigin = (text: string) => text as AllowedOrigin;
export const imageKey = (text: string) => text as ImageKey;
export const deliveryUrl = (text: string) => text as DeliveryUrl;
export const providerUrl = (text: string) => text as ProviderUrl;
export const storedPath = (text: string) => text as StoredPath;
