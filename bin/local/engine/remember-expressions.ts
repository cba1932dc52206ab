/** Parses each expression of dynalite's calls once: the same few come with other values, a hundred times a second. */

import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';

const load = createRequire(__filename);

type Values = Readonly<Record<string, object>>;

/** What an expression may refer to; its parser takes out of the last two what it has found. */
export interface Context {
  readonly attrNames?: Readonly<Record<string, string>>;
  readonly attrVals?: Values;
  readonly unusedAttrNames: Record<string, true>;
  readonly unusedAttrVals: Record<string, true>;
  readonly isKeyCondition?: boolean;
}

/** A syntax tree, or the text of a fault. @throws for what is no expression */
export type Parse = (expression: string, options: { readonly context: Context }) => unknown;

/** Stands in a template where a value of the call belongs. */
class Placeholder {
  constructor(readonly name: string) {}
}

interface Template {
  readonly tree: unknown;
  readonly usedNames: readonly string[];
  readonly usedValues: readonly string[];
}

const templatesMax = 1_000;

/** Replaces the parsers of the engine in this process, once. */
export function rememberExpressions(): void {
  for (const file of ['updateParser', 'conditionParser']) {
    const parser = load(`dynalite/db/${file}`) as { parse: Parse; isRemembering?: true };
    if (parser.isRemembering) continue;
    parser.isRemembering = true;
    parser.parse = remembering(parser.parse);
  }
}

/**
 * Gives the tree that the parser would give, with the call's own values in it. A tree depends on the names and on the
 * types of the values; where it depends on values themselves (BETWEEN), or is a fault, the parser is asked each time.
 */
export function remembering(parse: Parse): Parse {
  const templates = new Map<string, Template | undefined>();
  return (expression, options) => {
    const { context } = options;
    const { attrNames = {}, attrVals = {} } = context;
    if (context.isKeyCondition || /between/i.test(expression)) return parse(expression, options);
    let key = `${expression}\n${JSON.stringify(attrNames)}`;
    for (const name in attrVals) key += `\n${name} ${Object.keys(attrVals[name] ?? {}).join()}`;
    if (!templates.has(key)) {
      if (templates.size >= templatesMax) templates.clear();
      templates.set(key, templateOf(parse, expression, context));
    }
    const template = templates.get(key);
    if (!template) return parse(expression, options);
    for (const name of template.usedNames) delete context.unusedAttrNames[name];
    for (const name of template.usedValues) delete context.unusedAttrVals[name];
    return withValues(template.tree, attrVals);
  };
}

/** `undefined` for what cannot be remembered. */
function templateOf(parse: Parse, expression: string, context: Context): Template | undefined {
  const { attrNames = {}, attrVals = {} } = context;
  const copies = Object.fromEntries(Object.entries(attrVals).map(([name, value]) => [name, { ...value }]));
  const unusedAttrNames = allOf(attrNames);
  const unusedAttrVals = allOf(attrVals);
  let tree: unknown;
  try {
    tree = parse(expression, { context: { ...context, attrVals: copies, unusedAttrNames, unusedAttrVals } });
  } catch {
    return undefined;
  }
  if (typeof tree !== 'object') return undefined;
  const placeholders = new Map(Object.entries(copies).map(([name, copy]) => [copy, new Placeholder(name)]));
  const template = withPlaceholders(tree, placeholders);
  if (!isDeepStrictEqual(withValues(template, attrVals), tree)) return undefined;
  const used = (all: object, unused: object) => Object.keys(all).filter((name) => !(name in unused));
  return {
    tree: template,
    usedNames: used(attrNames, unusedAttrNames),
    usedValues: used(attrVals, unusedAttrVals),
  };
}

const allOf = (names: object) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, true])) as Record<string, true>;

function withPlaceholders(node: unknown, placeholders: ReadonlyMap<unknown, Placeholder>): unknown {
  return placeholders.get(node) ?? copyOf(node, (child) => withPlaceholders(child, placeholders));
}

/** A tree of its own for each call: the engine changes it. */
function withValues(node: unknown, values: Values): unknown {
  if (node instanceof Placeholder) return values[node.name];
  return copyOf(node, (child) => withValues(child, values));
}

function copyOf(node: unknown, copyChild: (child: unknown) => unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(copyChild);
  const copy = Object.create(Object.getPrototypeOf(node) as object | null) as Record<string, unknown>;
  for (const name of Object.keys(node)) copy[name] = copyChild((node as Record<string, unknown>)[name]);
  return copy;
}
