/** What a tool for models is: what it takes and returns, in as few words as a model needs, and what it does. */

import type { HttpRequest } from '../../http/http-request';
import { detailOf, type Refusal } from '../../problems/problem';
import type { schemaOf } from '../../requests/json-schema';
import type { ImageServices } from '../../services';

/** The result of a call, as the protocol has it. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};

/** A tool of the protocol. */
export interface Tool {
  readonly description: () => string;
  /** Properties of its input by name, as JSON Schema. */
  readonly input: (schema: typeof schemaOf) => Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** Whether it changes nothing and costs nothing. */
  readonly isReadOnly: boolean;
  readonly call: (
    services: ImageServices,
    request: HttpRequest,
    input: Readonly<Record<string, unknown>>,
  ) => ToolResult | Promise<ToolResult>;
}

/** JSON Schema of a text. */
export const text = { type: 'string' } as const;

/** A result as structured content, and as text for hosts that pass only that on. */
export function answered(
  structuredContent: Record<string, unknown>,
  ...lines: readonly string[]
): ToolResult {
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent };
}

/** What the model can correct, or tell its user. */
export function failed(refusal: Refusal | string): ToolResult {
  const said = typeof refusal === 'string' ? refusal : detailOf(refusal);
  return { content: [{ type: 'text', text: said }], isError: true };
}

/** A text of a provider, as one quoted line: it is data, whatever it says. */
export const quoted = (said: string): string => JSON.stringify(said);
