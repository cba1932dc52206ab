/** The context that the authorizer hands to the functions behind it. */

/** Keys of the authorizer's context; API Gateway hands them to the handler as strings. */
export const contextKeys = {
  caller: 'caller',
  account: 'account',
  plan: 'plan',
  keyId: 'keyId',
  refusal: 'refusal',
} as const;
