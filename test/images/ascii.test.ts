/** Texts of headers, which hold ASCII alone. */

import fc from 'fast-check';
import { asciiOf } from '../../lambda/images/ascii';
import { codePoint } from '../fakes/code-point';

it.each([
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
])('the text %j is spelled %j in ASCII', (text, spelled) => expect(asciiOf(text)).toBe(spelled));

it('any text becomes printable ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => expect(asciiOf(text)).toMatch(/^[\x20-\x7e]*$/)),
  );
});
