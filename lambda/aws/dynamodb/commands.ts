/** The commands that adapters send to DynamoDB: an operation and its input, in plain JavaScript values. */

import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';

/** The operations of DynamoDB that the service uses, as `x-amz-target` names them. */
export type Operation = 'BatchGetItem' | 'GetItem' | 'PutItem' | 'Query' | 'Scan' | 'UpdateItem';

/** Input and output hold plain JavaScript values, as AWS's document client takes and returns them. */
export interface Command<Output> {
  readonly operation: Operation;
  readonly input: object;
  /** Never set: it ties the type of the answer to the command. */
  readonly output?: Output;
}

/** A class of commands of one operation. */
const commandOf = <Input extends object, Output>(operation: Operation) =>
  class implements Command<Omit<Output, '$metadata'>> {
    readonly operation = operation;
    declare readonly output?: Omit<Output, '$metadata'>;
    constructor(readonly input: Input) {}
  };

/** Up to 100 items by their keys; those that are throttled come back as `UnprocessedKeys`. */
export const BatchGetCommand = /* @__PURE__ */ commandOf<BatchGetCommandInput, BatchGetCommandOutput>(
  'BatchGetItem',
);
/** One item by its key. */
export const GetCommand = /* @__PURE__ */ commandOf<GetCommandInput, GetCommandOutput>('GetItem');
/** Replaces a whole item. */
export const PutCommand = /* @__PURE__ */ commandOf<PutCommandInput, PutCommandOutput>('PutItem');
/** The items of one partition of a table or an index, a page at a time. */
export const QueryCommand = /* @__PURE__ */ commandOf<QueryCommandInput, QueryCommandOutput>('Query');
/** All items of a table or an index, a page at a time. */
export const ScanCommand = /* @__PURE__ */ commandOf<ScanCommandInput, ScanCommandOutput>('Scan');
/** Changes attributes of one item, under a condition where it has one. */
export const UpdateCommand = /* @__PURE__ */ commandOf<UpdateCommandInput, UpdateCommandOutput>('UpdateItem');

export type { UpdateCommandInput };
