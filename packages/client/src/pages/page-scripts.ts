/** What the scripts of a page mention: an image that they may change is theirs. */

import { around, attribute, type Element, namesOf, onceFor, type Page } from './read-page';

/** What frames are called into which scripts put images. */
const isNamedForScripts = onceFor((element) =>
  /lightbox|modal|popup|preview|overlay|dialog|viewer|zoom/i.test(namesOf(element)),
);
const data = /json|importmap|speculationrules|text\/(?:html|template|x-)/i;

/** The text of an inline script; empty for other elements. */
export function scriptText({ tagName, childNodes: [text] }: Element): string {
  return tagName === 'script' && text?.nodeName === '#text' ? (text as { value: string }).value : '';
}

/**
 * Reads the scripts of a page and its handlers, once for all of its images.
 * @returns whether a script may give an element another source
 */
export function readScripts(page: Page): (element: Element) => boolean {
  const texts: string[] = [];
  let hasUnseen = false;
  for (const element of page.elements) {
    const isScript = element.tagName === 'script' && !data.test(attribute(element, 'type') ?? '');
    if (isScript) texts.push(scriptText(element));
    hasUnseen ||= isScript && attribute(element, 'src') !== undefined;
    for (const { name, value } of element.attrs)
      if (name.startsWith('on') || /^\s*javascript:/i.test(value)) texts.push(value);
  }
  const setting = texts.filter((text) => /\bsrc(?:set)?\b|createObjectURL/.test(text));
  const setsAll = setting.some((text) => /["'`](?:[^"'`\n]*[\s>+~,])?img\b|document\.images/.test(text));
  const words = new Set(texts.flatMap((text) => text.match(/[\w-]+/g) ?? []));
  const isMentioned = onceFor((element) =>
    ['id', 'name', 'class']
      .flatMap((name) => attribute(element, name)?.split(/\s+/) ?? [])
      // `preview-b` is mentioned by `'preview-' + letter`.
      .flatMap((each) => [each, each.replace(/\d+$/, ''), /^.{1,60}[-_]/.exec(each)?.[0] ?? each])
      .some((each) => words.has(each)),
  );
  const isFrame = ({ tagName }: Element) => !/^(?:html|body|main)$/.test(tagName);
  return (element) =>
    setsAll ||
    isMentioned(element) ||
    // A script that is not on the page may do what it likes with an element that has a name for it, or stands in a frame.
    (hasUnseen && (attribute(element, 'id') !== undefined || around(element, 4).some(isNamedForScripts))) ||
    (setting.length > 0 && around(element, 8).filter(isFrame).some(isMentioned));
}
