/** Bounds API keys, signers and site keys, for their owners and for the operator. */
export const keyBounds = {
  nameCharactersMax: 64,
  originsMax: 20,
  /** Active credentials at which an owner cannot make another one; the operator can, by the CLI. */
  activeMax: 50,
} as const;
