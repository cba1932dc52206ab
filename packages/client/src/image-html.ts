/** The `<img>` tag as text, for pages that are put together from strings. */

import { type ImagePropsSpec, imageProps } from './image-props';

/** A style in React's spelling as the text of a `style` attribute. */
export function cssText(style: Readonly<Record<string, string>>): string {
  return Object.entries(style)
    .map(([name, value]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
    .join(';');
}

/** @param base as of `imageProps` */
export function imageHtml(base: string, spec: ImagePropsSpec): string {
  const { style, ...props } = imageProps(base, spec);
  const attributes = Object.entries({ ...props, style: cssText(style) }).map(
    ([name, value]) =>
      `${name.toLowerCase()}="${String(value).replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)}"`,
  );
  return `<img ${attributes.join(' ')}>`;
}
