/** The fields of the playground's form for the parameters that apply to one kind of source, from the contract. */

import {
  imageParameters,
  type ParameterName,
  type ParameterText,
  parameterTexts,
} from '../../../contract/parameters';
import { avoidables, colorNames } from '../../../contract/request-bounds';
import { schemaOf } from '../../../requests/json-schema';
import { type Html, html } from '../html';

/** How a field differs from what its schema makes of it. */
interface FieldTexts {
  /** The name of the parameter by default. */
  readonly label?: string;
  /** What stands for no value. */
  readonly empty?: string;
  /** Values to choose from, where the schema is a pattern. */
  readonly values?: readonly string[];
  readonly note?: string;
}

const texts: Readonly<Partial<Record<ParameterName, FieldTexts>>> = {
  alt: { label: 'Alternative' },
  seed: {
    empty: 'none: the best image',
    note: '2 to 20: the second best to the twentieth best. Any other text draws one.',
  },
  avoid: { empty: 'nothing', values: [...avoidables, avoidables.join(',')] },
  color: { empty: 'any', values: colorNames },
  onmiss: { label: 'Without a match', empty: 'the best stock image' },
};

export const option = (value: string, label: string, isChosen = false): Html =>
  html`<option value="${value}"${isChosen ? ' selected' : ''}>${label}</option>`;

export const choices = (values: readonly string[]): readonly Html[] =>
  values.map((value) => option(value, value === 'ai' ? 'ai (needs a key)' : value));

/** The attribute with the default of a parameter, which the script leaves out of URLs. */
export function defaultOf(name: ParameterName): Html | undefined {
  const { default: value } = schemaOf(name);
  return value === undefined || value === '' ? undefined : html` data-default="${String(value)}"`;
}

/** Texts over the whole width, then values to choose from, then numbers. */
export function parameterFields(source: NonNullable<ParameterText['appliesTo']>): Html {
  const names = imageParameters.filter((name) => parameterTexts[name].appliesTo === source);
  const fields = (kind: FieldKind) => names.filter((name) => kindOf(name) === kind).map(field);
  return html`${fields('text')}<div class="two">${fields('select')}${fields('number')}</div>`;
}

type FieldKind = 'text' | 'select' | 'number';

function kindOf(name: ParameterName): FieldKind {
  if (valuesOf(name)) return 'select';
  return schemaOf(name)['type'] === 'integer' ? 'number' : 'text';
}

function valuesOf(name: ParameterName): readonly string[] | undefined {
  return texts[name]?.values ?? (schemaOf(name)['enum'] as readonly string[] | undefined);
}

function field(name: ParameterName): Html {
  const {
    label = `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    empty = 'none',
    note,
  } = texts[name] ?? {};
  return html`<label>${label} ${control(name, empty)}${note === undefined ? undefined : html`<small>${note}</small>`}</label>`;
}

function control(name: ParameterName, empty: string): Html {
  const { minimum, maximum, maxLength, default: value } = schemaOf(name);
  const values = valuesOf(name);
  if (values)
    return html`<select name="${name}"${defaultOf(name)}>${value === undefined ? option('', empty) : undefined}${choices(values)}</select>`;
  if (kindOf(name) === 'number')
    return html`<input name="${name}" type="number" inputmode="numeric" min="${Number(minimum)}" max="${Number(maximum)}" placeholder="${empty}">`;
  return html`<input name="${name}"${maxLength === undefined ? undefined : html` maxlength="${Number(maxLength)}"`} placeholder="${empty}">`;
}
