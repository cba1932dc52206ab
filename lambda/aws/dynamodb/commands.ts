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

type Answer<Output> = Omit<Output, '$metadata'>;

/** Up to 100 items by their keys; those that are throttled come back as `UnprocessedKeys`. */
export class BatchGetCommand implements Command<Answer<BatchGetCommandOutput>> {
  readonly operation = 'BatchGetItem';
  declare readonly output?: Answer<BatchGetCommandOutput>;
  constructor(readonly input: BatchGetCommandInput) {}
}

/** One item by its key. */
export class GetCommand implements Command<Answer<GetCommandOutput>> {
  readonly operation = 'GetItem';
  declare readonly output?: Answer<GetCommandOutput>;
  constructor(readonly input: GetCommandInput) {}
}

/** Replaces a whole item. */
export class PutCommand implements Command<Answer<PutCommandOutput>> {
  readonly operation = 'PutItem';
  declare readonly output?: Answer<PutCommandOutput>;
  constructor(readonly input: PutCommandInput) {}
}

/** The items of one partition of a table or an index, a page at a time. */
export class QueryCommand implements Command<Answer<QueryCommandOutput>> {
  readonly operation = 'Query';
  declare readonly output?: Answer<QueryCommandOutput>;
  constructor(readonly input: QueryCommandInput) {}
}

/** All items of a table or an index, a page at a time. */
export class ScanCommand implements Command<Answer<ScanCommandOutput>> {
  readonly operation = 'Scan';
  declare readonly output?: Answer<ScanCommandOutput>;
  constructor(readonly input: ScanCommandInput) {}
}

/** Changes attributes of one item, under a condition where it has one. */
export class UpdateCommand implements Command<Answer<UpdateCommandOutput>> {
  readonly operation = 'UpdateItem';
  declare readonly output?: Answer<UpdateCommandOutput>;
  constructor(readonly input: UpdateCommandInput) {}
}

export type { UpdateCommandInput };
