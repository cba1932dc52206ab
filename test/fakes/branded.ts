/** Values of branded types as a test makes them up, well-formed or not. */

import type { AccountId } from '../../lambda/domain/caller/account-id';
import type { KeyHash } from '../../lambda/domain/caller/api-key';
import type { AllowedOrigin } from '../../lambda/domain/caller/site-key';
import type { ImageKey } from '../../lambda/domain/generation/generation-identity';
import type { ProviderUrl } from '../../lambda/domain/image/allowed-url';
import type { DeliveryUrl } from '../../lambda/domain/image/image';
import type { LibraryPath } from '../../lambda/domain/image/library-path';

export const accountId = (text: string) => text as AccountId;
export const keyHash = (text: string) => text as KeyHash;
export const allowedOrigin = (text: string) => text as AllowedOrigin;
export const imageKey = (text: string) => text as ImageKey;
export const deliveryUrl = (text: string) => text as DeliveryUrl;
export const providerUrl = (text: string) => text as ProviderUrl;
export const libraryPath = (text: string) => text as LibraryPath;
