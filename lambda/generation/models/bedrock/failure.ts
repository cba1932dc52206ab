/** What an error of Bedrock's InvokeModel means. */

import { GeneratorFailure, type GeneratorFailureKind } from '../../generator';
import { isGivenUp } from '../attempts';

/**
 * Either a failure that is understood, or one of two that need to be examined: `unknown_model` may be a model that is
 * retired, `invalid` a field that this model does not take.
 */
type BedrockFault =
  | {
      readonly kind: GeneratorFailureKind | 'unknown_model' | 'invalid';
      readonly message: string;
      readonly isUnbilled: boolean;
    }
  /** The content filter in front of the model refused. */
  | { readonly kind: 'refused'; readonly message: string; readonly isUnbilled: false };

/** By name: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html#API_runtime_InvokeModel_Errors */
const kinds: Readonly<Record<string, GeneratorFailureKind>> = {
  ThrottlingException: 'throttled',
  TooManyRequestsException: 'throttled',
  ModelNotReadyException: 'unavailable',
  ModelTimeoutException: 'unavailable',
  ModelErrorException: 'unavailable',
  InternalServerException: 'unavailable',
  ServiceUnavailableException: 'unavailable',
  ServiceQuotaExceededException: 'quota_exceeded',
  UnrecognizedClientException: 'unauthorized',
  ExpiredTokenException: 'unauthorized',
  InvalidSignatureException: 'unauthorized',
  CredentialsProviderError: 'unauthorized',
};

/** Statuses of errors whose name says nothing. */
const kindByStatus: Readonly<Record<number, GeneratorFailureKind>> = {
  408: 'unavailable',
  424: 'unavailable',
  429: 'throttled',
  500: 'unavailable',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** What happened, or `undefined` when there was no answer at all. */
export function bedrockFaultOf(error: unknown): BedrockFault | undefined {
  const { name = '', message: text = '', $metadata } = error as Partial<BedrockError>;
  const status = $metadata?.httpStatusCode;
  const message = `Bedrock answered ${status} ${name}: ${text.slice(0, 300)}`;
  const isUnbilled = name !== 'ModelTimeoutException' && !isGivenUp(status);
  const is = (kind: Exclude<BedrockFault['kind'], 'refused'>): BedrockFault => ({
    kind,
    message,
    isUnbilled,
  });
  if (Object.hasOwn(kinds, name)) return is(kinds[name] as GeneratorFailureKind);
  // "Access denied. This Model is marked by provider as Legacy and you have not been actively using the model …"
  if (/marked by provider as legacy/i.test(text)) return is('legacy');
  if (/end of (its )?life/i.test(text)) return is('end_of_life');
  if (name === 'AccessDeniedException') return is(lacksAgreement(text) ? 'not_activated' : 'unauthorized');
  if (name === 'ResourceNotFoundException') return is('unknown_model');
  if (name === 'ValidationException') {
    if (/content filter|responsible ai/i.test(text)) return { kind: 'refused', message, isUnbilled: false };
    return is(/model identifier|model id/i.test(text) ? 'unknown_model' : 'invalid');
  }
  if (status === undefined) return undefined;
  return is(kindByStatus[status] ?? (status === 401 || status === 403 ? 'unauthorized' : 'rejected'));
}

/** Turns a fault that needs no examination into the failure to be thrown. */
export function failureOf({ kind, message, isUnbilled }: BedrockFault, cause: unknown): GeneratorFailure {
  const final =
    kind === 'unknown_model' ? 'end_of_life' : kind === 'invalid' || kind === 'refused' ? 'rejected' : kind;
  return new GeneratorFailure(final, message, { cause, isUnbilled });
}

interface BedrockError {
  readonly name: string;
  readonly message: string;
  readonly $metadata: { readonly httpStatusCode?: number };
}

/** Whether access is missing because the Marketplace agreement is not there (yet), or cannot be paid for. */
function lacksAgreement(text: string): boolean {
  return /marketplace|agreement|MPAgreement|INVALID_PAYMENT_INSTRUMENT|access to the model|subscri/i.test(
    text,
  );
}
