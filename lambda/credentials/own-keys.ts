/** The schemas of `/api/keys`: the credentials of an account, and the request for a new one. */

import * as z from 'zod/mini';
import { keyBounds } from '../contract/request-bounds';

const { nameCharactersMax, originsMax } = keyBounds;

const kinds = ['api', 'site', 'signer'] as const;
const modes = ['live', 'test'] as const;
const roles = ['owner', 'member'] as const;
const nameBounds = `1 to ${nameCharactersMax} characters`;
const name = z
  .string(nameBounds)
  .check(z.trim(), z.minLength(1, nameBounds), z.maxLength(nameCharactersMax, nameBounds));
export const originsBounds = `a list of 1 to ${originsMax} origins`;
const origins = z
  .array(z.string('an origin'), originsBounds)
  .check(z.minLength(1, originsBounds), z.maxLength(originsMax, originsBounds));
const capBounds = 'a whole number from 1';

/** The body of `POST /api/keys`. */
export const newKeySchema = z.object(
  {
    name,
    kind: z._default(z.enum(kinds, `one of ${kinds.join(', ')}`), 'api'),
    mode: z._default(z.enum(modes, `one of ${modes.join(', ')}`), 'live'),
    role: z
      ._default(z.enum(roles, `one of ${roles.join(', ')}`), 'member')
      .check(z.describe('For API keys only.')),
    origins: z.exactOptional(origins).check(z.describe('For site keys only, which need at least one.')),
    maxPerMonth: z
      .exactOptional(z.int(capBounds).check(z.gte(1, capBounds)))
      .check(z.describe('Units that the key may spend in a month. Site keys need it, signers have none.')),
  },
  'a JSON object',
);

/** The body of `PATCH /api/keys/{id}`. */
export const renamedKeySchema = z.object({ name }, 'a JSON object');

const daysBounds = 'a whole number from 0 to 30';
const overlapDays = z.int(daysBounds).check(z.gte(0, daysBounds), z.lte(30, daysBounds));

/** The body of `POST /api/keys/{id}/rotate`. */
export const rotatedKeySchema = z.object({ overlapDays: z._default(overlapDays, 7) }, 'a JSON object');

const moment = z.nullable(z.iso.datetime());

/** A credential as the list shows it, without its secret. */
export const ownKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(kinds),
  mode: z.enum(modes),
  role: z
    .nullable(z.enum(roles))
    .check(z.describe('The owner of an account manages its keys. null for site keys and signers.')),
  prefix: z.string().check(z.describe('The first characters of the key; the id of a signer.')),
  createdAt: z.iso.datetime(),
  lastUsedOn: z
    .nullable(z.iso.date())
    .check(z.describe('null if not used in 31 days, or if the plan has no analytics.')),
  revokedAt: moment,
  expiresAt: moment,
  origins: z.nullable(z.array(z.string())),
  maxPerMonth: z.nullable(z.int()),
});

/** The response with a new credential. */
export const madeKeySchema = z.extend(ownKeySchema, {
  secret: z.string().check(z.describe('The key, or the secret of a signer. No later response has it.')),
});

export type OwnKey = z.infer<typeof ownKeySchema>;
export type NewKey = z.infer<typeof newKeySchema>;
