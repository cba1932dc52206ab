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

/** Attribute names of calls by what stands for them in a template, or the other way round. */
type Names = Readonly<Record<string, string>>;

const templatesMax = 1_000;

/** Begins what stands in a template for an attribute name of the call; no remembered call has it in a name. */
const mark = '\u0000';

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
 * Gives the tree that the parser would give, with the call's own names and values in it. A tree depends on which names
 * are equal to others or to words of the expression, and on the types of the values; where it depends on values
 * themselves (BETWEEN, attribute_type), or is a fault, the parser is asked each time.
 */
export function remembering(parse: Parse): Parse {
  const templates = new Map<string, Template | undefined>();
  return (expression, options) => {
    const { context } = options;
    const { attrNames = {}, attrVals = {} } = context;
    if (/between|attribute_type/i.test(expression)) return parse(expression, options);
    const names = Object.entries(attrNames);
    if (names.some(([, name]) => name.includes(mark))) return parse(expression, options);
    const standIns: Record<string, string> = {};
    const named: Record<string, string> = {};
    let key = expression;
    for (const [placeholder, name] of names) {
      const isFree = isReplaceable(name, expression, names);
      standIns[placeholder] = isFree ? `${mark}${placeholder}` : name;
      if (isFree) named[`${mark}${placeholder}`] = name;
      key += `\n${placeholder} ${isFree ? '' : JSON.stringify(name)}`;
    }
    for (const name in attrVals) key += `\n${name} ${Object.keys(attrVals[name] ?? {}).join()}`;
    if (!templates.has(key)) {
      if (templates.size >= templatesMax) templates.clear();
      templates.set(key, templateOf(parse, expression, { ...context, attrNames: standIns }));
    }
    const template = templates.get(key);
    if (!template) return parse(expression, options);
    for (const name of template.usedNames) delete context.unusedAttrNames[name];
    for (const name of template.usedValues) delete context.unusedAttrVals[name];
    return filledIn(template.tree, attrVals, named);
  };
}

/** Whether the parser would do the same with any other name: it compares names with one another, and rejects empty ones. */
function isReplaceable(
  name: string,
  expression: string,
  names: readonly (readonly [string, string])[],
): boolean {
  if (name === '' || expression.includes(name)) return false;
  return names.filter(([, other]) => other === name).length === 1;
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
  if (!isDeepStrictEqual(filledIn(template, attrVals, {}), tree)) return undefined;
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
  return placeholders.get(node) ?? copyOf(node, (child) => withPlaceholders(child, placeholders), {});
}

/** A tree of its own for each call: the engine changes it. */
function filledIn(node: unknown, values: Values, names: Names): unknown {
  if (node instanceof Placeholder) return values[node.name];
  if (typeof node === 'string') return nameIn(names, node);
  return copyOf(node, (child) => filledIn(child, values, names), names);
}

function copyOf(node: unknown, copyChild: (child: unknown) => unknown, names: Names): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(copyChild);
  const copy = Object.create(Object.getPrototypeOf(node) as object | null) as Record<string, unknown>;
  for (const name of Object.keys(node))
    copy[nameIn(names, name)] = copyChild((node as Record<string, unknown>)[name]);
  return copy;
}

const nameIn = (names: Names, text: string): string => (text.startsWith(mark) ? (names[text] ?? text) : text);
