/** Compiles DynamoDB's condition, filter and key expressions. */

import {
  type Operand,
  readOperand,
  readPath,
  remember,
  type Scope,
  ValidationException,
  valueAt,
  type Words,
  wordsOf,
} from './expression';

export type Condition = (scope: Scope) => boolean;

/** The condition of an expression. */
export const compileCondition = remember((text: string): Condition => {
  const words = wordsOf(text);
  const condition = readAny(words);
  if (words.peek() !== undefined) throw new ValidationException(`Left over in: ${text}`);
  return condition;
});

function readAny(words: Words): Condition {
  const parts = [readAll(words)];
  while (words.take('OR')) parts.push(readAll(words));
  return parts.length === 1 ? (parts[0] as Condition) : (scope) => parts.some((part) => part(scope));
}

function readAll(words: Words): Condition {
  const parts = [readOne(words)];
  while (words.take('AND')) parts.push(readOne(words));
  return parts.length === 1 ? (parts[0] as Condition) : (scope) => parts.every((part) => part(scope));
}

function readOne(words: Words): Condition {
  if (words.take('NOT')) {
    const inner = readOne(words);
    return (scope) => !inner(scope);
  }
  if (words.take('(')) {
    const inner = readAny(words);
    words.expect(')');
    return inner;
  }
  if (words.take('attribute_exists')) return existence(words, true);
  if (words.take('attribute_not_exists')) return existence(words, false);
  if (words.take('contains')) {
    words.expect('(');
    const path = readPath(words);
    words.expect(',');
    const wanted = readOperand(words);
    words.expect(')');
    return (scope) => containsIt(valueAt(path, scope), wanted(scope));
  }
  return readComparison(words);
}

function existence(words: Words, wanted: boolean): Condition {
  words.expect('(');
  const path = readPath(words);
  words.expect(')');
  return (scope) => (valueAt(path, scope) !== undefined) === wanted;
}

function readComparison(words: Words): Condition {
  const left = readOperand(words);
  if (words.take('IN')) {
    words.expect('(');
    const choices: Operand[] = [];
    do choices.push(readOperand(words));
    while (words.take(','));
    words.expect(')');
    return (scope) => choices.some((choice) => isEqual(left(scope), choice(scope)));
  }
  const sign = words.next();
  const right = readOperand(words);
  switch (sign) {
    case '=':
      return (scope) => isEqual(left(scope), right(scope));
    case '<>':
      return (scope) => !isEqual(left(scope), right(scope));
    case '<':
      return (scope) => isOrdered(left(scope), right(scope), (order) => order < 0);
    case '<=':
      return (scope) => isOrdered(left(scope), right(scope), (order) => order <= 0);
    case '>':
      return (scope) => isOrdered(left(scope), right(scope), (order) => order > 0);
    case '>=':
      return (scope) => isOrdered(left(scope), right(scope), (order) => order >= 0);
    default:
      throw new ValidationException(`No comparison: ${sign}`);
  }
}

/** An attribute that is missing equals nothing. */
function isEqual(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return false;
  if (typeof left !== 'object' || left === null) return left === right;
  return JSON.stringify(plain(left)) === JSON.stringify(plain(right));
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  return value instanceof Set ? [...value].sort() : value;
}

/** Values of different types, and missing ones, have no order. */
function isOrdered(left: unknown, right: unknown, holds: (order: number) => boolean): boolean {
  if (typeof left === 'number' && typeof right === 'number') return holds(left - right);
  if (typeof left === 'string' && typeof right === 'string')
    return holds(left === right ? 0 : left < right ? -1 : 1);
  return false;
}

function containsIt(whole: unknown, part: unknown): boolean {
  if (whole instanceof Set) return whole.has(part);
  if (Array.isArray(whole)) return whole.some((one) => isEqual(one, part));
  return typeof whole === 'string' && typeof part === 'string' && whole.includes(part);
}
