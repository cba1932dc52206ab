/**
 * Fills image URLs in the source of a page that a framework builds: string literals of image elements, of objects that
 * describe an image, and of Markdown. Each is put into an HTML page of its own line, which `fillHtml` fills.
 */

import { MagicString } from 'magic-string';
import { escapeHtml } from '../image-props';
import type { FilledImage } from '../service';
import { type FilledPage, type FillOptions, type FindImages, fillHtml } from './fill-html';
import { type Finding, type LintOptions, lintHtml } from './lint-html';
import { replaceableUrl } from './replaceable-url';

const htmlFile = /\.html?$/;

/** Endings of the files that are read. */
export const pageFile = /\.(?:html?|jsx|tsx|vue|svelte|astro|mdx?|css|json)$/;

/** A string literal that may hold the URL of an image, and what stands with it. */
interface Literal {
  /** Position of the URL in the source. */
  readonly start: number;
  readonly url: string;
  /** Attributes of the element that stands for it. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A source as it is filled, in `html`. */
export interface FilledCode extends FilledPage {
  /** Credit lines that a licence asks for and the page has to show; none for HTML, which shows them itself. */
  readonly credits: readonly string[];
}

/**
 * @param name of the file: its ending says how it is read
 * @throws as `fillHtml`
 */
export async function fillCode(
  code: string,
  name: string,
  service: { readonly base: string; readonly key: string } | FindImages,
  options: FillOptions = {},
): Promise<FilledCode> {
  if (htmlFile.test(name)) return { ...(await fillHtml(code, service, options)), credits: [] };
  const isCss = name.endsWith('.css');
  const literals = isCss ? [] : imageLiterals(code);
  const page = isCss ? `<style>${code}</style>` : pageOf(literals);
  const filled = await fillHtml(page, service, options);
  const credits = [...filled.html.matchAll(/ data-image-credit="([^"]*)"/g)].map(([, text]) =>
    decoded(text ?? ''),
  );
  if (isCss) {
    const html = filled.html.replace(/^<style[^>]*>/, '').replace(/<\/style>(?:<footer.*)?$/s, '');
    return { ...filled, html, credits };
  }
  const source = new MagicString(code);
  const report = filled.report.map((image): FilledImage => {
    const literal = literals[image.line - 1] as Literal;
    if (image.src !== undefined) {
      const url = image.src.replace(/['()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
      source.update(literal.start, literal.start + literal.url.length, url);
    }
    return { ...image, line: code.slice(0, literal.start).split('\n').length };
  });
  return { ...filled, html: source.toString(), report, credits };
}

/** One line of HTML for each literal. */
function pageOf(literals: readonly Literal[]): string {
  return literals
    .map(({ url, attributes }) => {
      const pairs = Object.entries({ ...attributes, src: decoded(url) });
      const text = pairs.map(([key, value]) => `${key}="${escapeHtml(value).replace(/\n/g, '&#10;')}"`);
      return `<section><img ${text.join(' ')}></section>`;
    })
    .join('\n');
}

const decoded = (text: string) =>
  text
    .replace(/&(?:amp|#38);/g, '&')
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&#39;/g, "'");

/** Every literal of a source at most once, in its order. */
function imageLiterals(code: string): Literal[] {
  const literals = new Map<number, Literal>();
  for (const literal of [...elementLiterals(code), ...markdownLiterals(code), ...objectLiterals(code)]) {
    const isTold = Object.keys(literal.attributes).some((name) =>
      /^(?:alt|title|aria-label|data-)/.test(name),
    );
    if ((isTold || replaceableUrl(literal.url)?.words) && !literals.has(literal.start))
      literals.set(literal.start, literal);
  }
  return [...literals.values()].sort((a, b) => a.start - b.start);
}

const inPage = /^(?:alt|title|aria-label|width|height|style|data-[\w-]+)$/;

/** `<img>`, and components that are named like one, whose source is a literal. */
function elementLiterals(code: string): Literal[] {
  return [...code.matchAll(/<(?:img|[A-Z]\w*(?:Image|Img|Avatar)|Image|Img|AvatarImage)(?=[\s/>])/g)].flatMap(
    (tag) => {
      const attributes: Record<string, string> = {};
      let source: Literal | undefined;
      // name="text", name='text', name={"text"}, name={12}; other expressions are passed over.
      const attribute =
        /\s+([\w:@.-]+)(?:\s*=\s*(?:\{\s*)?(?:(["'`])((?:(?!\2)[^\\]){0,4000})\2|(\d+))(?:\s*\})?|\s*=\s*\{(?:[^{}]|\{[^{}]*\}){0,4000}\})?|\s*\{\s*\.\.\.[^{}]{0,200}\}/y;
      attribute.lastIndex = tag.index + tag[0].length;
      for (let match = attribute.exec(code); match; match = attribute.exec(code)) {
        const [whole, name = '', quote, text, digits] = match;
        if (quote === undefined && digits === undefined) continue;
        const value = text ?? digits ?? '';
        if (value.includes('${')) continue;
        if (name === 'src' && quote !== undefined) {
          const start = match.index + whole.indexOf(quote) + 1;
          source = { start, url: value, attributes };
        } else if (name === 'className') attributes['class'] = value;
        else if (name === 'class' || inPage.test(name)) attributes[name] = decoded(value);
      }
      if (/Avatar/.test(tag[0])) attributes['class'] = `${attributes['class'] ?? ''} avatar`;
      return source && source.url !== '' ? [source] : [];
    },
  );
}

/** `![alt](url)`. */
function markdownLiterals(code: string): Literal[] {
  // Code within the text is shown as it is.
  const text = code.replace(/```[\s\S]*?```|`[^`\n]*`/g, (span) => ' '.repeat(span.length));
  return [...text.matchAll(/!\[([^\]\n]{0,300})\]\(\s*<?([^\s)<>]{1,2000})/g)].map((match) => ({
    start: match.index + match[0].length - (match[2] as string).length,
    url: match[2] as string,
    attributes: match[1] ? { alt: match[1] } : {},
  }));
}

/** What says best what the image of an object shows. */
const describing = [
  'imageHint',
  'aiHint',
  'imageAlt',
  'alt',
  'hint',
  'imageDescription',
  'caption',
  'title',
  'name',
  'label',
  'heading',
  'author',
];
/** What only the object of a person says. */
const ofPerson = ['role', 'position', 'jobTitle', 'job', 'bio', 'quote', 'testimonial'];
const property = /(["']?)([A-Za-z_$][\w$-]*)\1\s*:\s*(["'`])((?:(?!\3)[^\\\n]|\\.){0,4000})\3/g;

/** `image: 'https://…'` of an object, with the texts beside it. */
function objectLiterals(code: string): Literal[] {
  return [...code.matchAll(property)].flatMap((match): Literal[] => {
    const [whole, , key = '', , value = ''] = match;
    const url = /^url\((["']?)(.*)\1\)$/.exec(value)?.[2] ?? value;
    if (!/^(?:https?:)?\/\/|^\/(?:placeholder|api\/placeholder)/.test(url)) return [];
    const siblings = new Map(
      [...objectAround(code, match.index).matchAll(property)].map(([, , name = '', , text = '']) => [
        name,
        text,
      ]),
    );
    const words = describing.map((name) => siblings.get(name)).find((text) => text);
    if (words === undefined) return [];
    const start = match.index + whole.lastIndexOf(value) + value.indexOf(url);
    const kind = ofPerson.some((name) => siblings.has(name)) ? `${key} profile` : key;
    return [{ start, url, attributes: { alt: words.replace(/\\(.)/g, '$1'), class: kind } }];
  });
}

const objectCharactersMax = 3_000;

/** The text of the innermost braces around a position, without what stands in braces within. */
function objectAround(code: string, index: number): string {
  const side = (step: 1 | -1): string => {
    const [inwards, outwards] = step > 0 ? '{}' : '}{';
    const characters: string[] = [];
    let depth = 0;
    for (let i = step > 0 ? index : index - 1; Math.abs(i - index) <= objectCharactersMax; i += step) {
      const character = code[i];
      if (character === undefined || (character === outwards && depth === 0)) break;
      if (character === inwards) depth += 1;
      else if (character === outwards) depth -= 1;
      else if (depth === 0) characters.push(character);
    }
    return (step > 0 ? characters : characters.reverse()).join('');
  };
  return side(-1) + side(1);
}

/** What is wrong with the URLs of literals. @param name of the file @throws as `lintHtml` */
export async function lintCode(
  code: string,
  name: string,
  options: LintOptions,
): Promise<readonly Finding[]> {
  if (htmlFile.test(name)) return lintHtml(code, options);
  if (name.endsWith('.css')) return lintHtml(`<style>${code}</style>`, options);
  const literals = imageLiterals(code);
  const findings = await lintHtml(pageOf(literals), options);
  // What an element says of its size may stand in an expression.
  return findings
    .filter(({ rule }) => !/^missing-|stretched/.test(rule))
    .map((finding) => ({
      ...finding,
      line: code.slice(0, literals[finding.line - 1]?.start).split('\n').length,
    }));
}
