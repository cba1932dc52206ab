/** The form of the playground: its values, its key, and its two ways to say a size. */

import { findElement } from './elements';
import type { RequestValues } from './snippets';

export const form = findElement('try', HTMLFormElement);

const findField = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;

/** Sets the value of a field. The form fires no event for it. */
export function setField(name: string, value: string): void {
  findField(name).value = value;
}

/** Reads the API key; empty for none. */
export function readKey(): string {
  return findField('key').value.trim();
}

/** Reads the values of the request. Values that are empty or a default are left out. */
export function readValues(): RequestValues {
  const entries = new FormData(form) as unknown as Iterable<[name: string, value: string]>;
  const values = [...entries].filter(([name, value]) => value !== '' && !isDefault(name));
  const { size: _size, key: _key, ...request } = Object.fromEntries(values);
  return { query: '', width: '', height: '', ...request };
}

/** Returns true if a list shows its first value, which is the default of its parameter. */
const isDefault = (name: string) => (findField(name) as HTMLSelectElement).selectedIndex === 0;

/** Enables the options of the source that is selected, and disables those of the other one. */
export function enableOptions(): void {
  const isAi = findField('provider').value === 'ai';
  findElement('ai', HTMLFieldSetElement).disabled = !isAi;
  findElement('stock', HTMLFieldSetElement).disabled = isAi;
}

/** Copies the selected size into width and height. "Custom" leaves them unchanged. */
export function copySelectedSize(): void {
  const [width, height] = findField('size').value.split('x');
  if (!width || !height) return;
  setField('width', width);
  setField('height', height);
}

/** Selects the size of width and height, or "Custom" if the list has no such size. */
export function selectTypedSize(): void {
  const { options } = findField('size') as HTMLSelectElement;
  const size = `${findField('width').value}x${findField('height').value}`;
  setField('size', [...options].some(({ value }) => value === size) ? size : '');
}
