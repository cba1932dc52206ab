/** Credit lines in ASCII, for headers. */

import fc from 'fast-check';
import { spellInAscii } from '../../lambda/images/ascii';
import { codePoint } from '../fakes/code-point';

test.each([
  ['Zoë Müller, Ångström, naïve café', 'Zoe Muller, Angstrom, naive cafe'],
  ['“Straße” – «Ærø» © Łódź, Þór', '"Strasse" - "AEro" (c) Lodz, Thor'],
  ['„a‚ ‘b’ c”', "\"a' 'b' c\""],
  ['a–b—c‐d‑e−f·g•h', 'a-b-c-d-e-f-g-h'],
  [
    'Þing þing, Đà đà, Ðe ðe, Øl øl, Łóż łóż, Œuf œuf, Æther æther, ışık ®',
    'Thing thing, Da da, De de, Ol ol, Loz loz, OEuf oeuf, AEther aether, isik (R)',
  ],
  ['ﬁsh ½ × 2', 'fish 1?2 x 2'],
  ['山 川 by Ann', '? by Ann'],
  ['a\r\nb\u2028c', 'a b c'],
])('the text %j becomes %j in ASCII', (text, spelled) => expect(spellInAscii(text)).toBe(spelled));

test('any text becomes printable ASCII', () => {
  const anyText = fc.string({ unit: codePoint });
  fc.assert(fc.property(anyText, (text) => expect(spellInAscii(text)).toMatch(/^[\x20-\x7e]*$/)));
});
