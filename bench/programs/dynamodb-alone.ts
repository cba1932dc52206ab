/** The two packages that DynamoDB takes, and nothing else: what the size of a function is measured against. */

export { DynamoDBClient } from '@aws-sdk/client-dynamodb';
export { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
