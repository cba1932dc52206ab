/** Names a command after the port method that sends it, for traces and targeted faults. */

import { GetCommand, QueryCommand, ScanCommand, UpdateCommand } from '../../../lambda/aws/dynamodb/commands';
import { remember } from '../dynamodb/expression';
import type { Input } from '../dynamodb/read-index';

/** How an update begins, and what it is called. */
const updates: readonly (readonly [start: string, label: string])[] = [
  ['SET #op = :op', 'reserve'],
  ['SET st = :leased', 'acquire'],
  ['SET st = :ready', 'finalize'],
  ['SET st = :failed', 'fail'],
  ['SET claim', 'claim'],
  ['SET settled', 'markSettled'],
  ['SET dueBy', 'takeDelivery'],
  ['SET st = :idle', 'markLost'],
  ['ADD taken :one, granted', 'grant'],
  ['ADD taken :minus SET returned', 'giveBackSurplus'],
  ['REMOVE sweepAt', 'unlist'],
  ['ADD taken :one', 'consume'],
  ['ADD taken :minus', 'giveBack'],
  ['ADD ops', 'consumeModel'],
  ['SET s = :pending', 'beginPaying'],
  ['SET s = :paid', 'settlePaid'],
  ['REMOVE s', 'releasePaid'],
];

const labelOfUpdate = remember((text) => updates.find(([start]) => text.startsWith(start))?.[1] ?? 'update');

/** The port method behind a command. */
export function labelOf(command: unknown): string {
  const { input } = command as { readonly input: Input };
  if (command instanceof UpdateCommand) {
    const text = input.UpdateExpression ?? '';
    const to = input.ExpressionAttributeValues?.[':to'];
    if (text.startsWith('SET #op = :to')) return to === 'C' ? 'commit' : 'refund';
    if (text.startsWith('SET st = :to')) return to === 'IDLE' ? 'release' : 'abandon';
    return labelOfUpdate(text);
  }
  if (command instanceof GetCommand) {
    if (input.TableName === 'generationIndex') return 'read';
    if (String(input.Key?.['pk']).startsWith('PAID#')) return 'readPaid';
    return input.ProjectionExpression === undefined ? 'pendingOf' : 'rateLimit';
  }
  if (command instanceof QueryCommand) return input.IndexName === 'byImageId' ? 'byImageId' : 'publicOf';
  return command instanceof ScanCommand ? 'itemsDue' : 'command';
}

/** Whether a message changes something. */
export function isWrite(command: unknown): boolean {
  return command instanceof UpdateCommand;
}
