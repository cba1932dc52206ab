/** What the scripts of a page mention: an image that they change later is theirs. */

import { around, attribute, type Element, namesOf, onceFor, type Page } from './read-page';

/** What the scripts of a page say about its elements. */
export interface PageScripts {
  /** Whether a script mentions an element by its id, name or class. */
  readonly mentions: (element: Element) => boolean;
  /** Whether a script may give an element another source. */
  readonly setsSource: (element: Element) => boolean;
}

/** What frames are called into which scripts put images. */
const isNamedForScripts = onceFor((element) =>
  /lightbox|modal|popup|preview|overlay|dialog|viewer|zoom/i.test(namesOf(element)),
);
const data = /json|importmap|speculationrules|text\/(?:html|template|x-)/i;

/** The text of an inline script; empty for other elements. */
export function scriptText({ tagName, childNodes: [text] }: Element): string {
  return tagName === 'script' && text?.nodeName === '#text' ? (text as { value: string }).value : '';
}

/** Reads the scripts of a page and its handlers, once for all of its images. */
export function readScripts(page: Page): PageScripts {
  const words = new Set<string>();
  let [setsAny, setsAll, hasUnseen] = [false, false, false];
  const read = (script: string) => {
    page.work.step(script.length >> 4);
    for (const [word] of script.matchAll(/[\w-]+/g)) words.add(word);
    const isSetting = /\bsrc(?:set)?\b|createObjectURL/.test(script);
    setsAny ||= isSetting;
    setsAll ||= isSetting && /["'`](?:[^"'`\n]*[\s>+~,])?img\b|document\.images/.test(script);
  };
  for (const element of page.elements) {
    const isScript = element.tagName === 'script' && !data.test(attribute(element, 'type') ?? '');
    if (isScript) read(scriptText(element));
    hasUnseen ||= isScript && attribute(element, 'src') !== undefined;
    for (const { name, value } of element.attrs)
      if (name.startsWith('on') || /^\s*javascript:/i.test(value)) read(value);
  }
  const mentions = onceFor((element) =>
    ['id', 'name', 'class']
      .flatMap((name) => attribute(element, name)?.split(/\s+/) ?? [])
      // `preview-b` is mentioned by `'preview-' + letter`.
      .flatMap((each) => [each, each.replace(/\d+$/, ''), /^.{1,60}[-_]/.exec(each)?.[0] ?? each])
      .some((each) => words.has(each)),
  );
  const setsSource = (element: Element) =>
    setsAll ||
    // A script that is not on the page may do what it likes with an element that has a name for it, or stands in a frame.
    (hasUnseen && (attribute(element, 'id') !== undefined || around(element, 4).some(isNamedForScripts))) ||
    (setsAny &&
      around(element, 8).some((each) => !/^(?:html|body|main)$/.test(each.tagName) && mentions(each)));
  return { mentions, setsSource };
}
