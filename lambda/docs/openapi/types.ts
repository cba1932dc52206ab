/** The part of OpenAPI 3.1 that the document uses (https://spec.openapis.org/oas/v3.1.1.html). */

import type { JsonSchema } from '../../requests/json-schema';

/** A pointer to a part of the same document, such as `#/components/schemas/Record`. */
export interface Reference {
  readonly $ref: string;
}

/** A part of a request beside its body. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** Schemas by media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** One answer of an operation; its status is the key under which it stands. */
export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

/** One method of a path; several entries of `security` are alternatives. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Reference[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiResponse | Reference>>;
}

/** Operations by path and method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
