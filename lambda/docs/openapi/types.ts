/** The part of OpenAPI 3.1 that the document uses (https://spec.openapis.org/oas/v3.1.1.html). */

import type { JsonSchema } from '../../requests/json-schema';

/** A pointer to a part of the same document, such as `#/components/schemas/ImageRecord`. */
export interface Reference {
  readonly $ref: string;
}

/** A header of an answer; its name is the key under which it stands. */
export interface Header {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** A part of a request beside its body. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** One answer of an operation; its status is the key under which it stands. */
export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;
}

/** One method of a path; several entries of `security` are alternatives. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Reference | Parameter)[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

/** The operations of a path by their method. */
export type PathItem = Readonly<
  Partial<Record<'get' | 'head' | 'post' | 'patch' | 'delete' | 'options', Operation>>
>;

/** The document as `/openapi.json` answers it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}
