/**
 * Writes the tables in `packages/scene/data` from the packages that they come from: `npx tsx tools/tables/drawings.ts`.
 * Drawings: Fluent Emoji (Microsoft, MIT). Words: Unicode CLDR. Letters: Nunito (OFL 1.1).
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Place } from '../../packages/scene/src/landscapes';
import { termsOf, VAGUE } from '../../packages/scene/src/subjects';
import aliases from './data/aliases.json';
import own from './data/own-drawings.json';
import { annotationsOf, load, write } from './sources';

const folder = 'packages/scene/data';

/** Where subjects are drawn, by the pattern of their name; the first one that matches. */
const places: Readonly<Partial<Record<Place, RegExp>>> = {
  underwater:
    /fish$|^(octopus|squid|jellyfish|coral|dolphin|shark|whale|spouting-whale|seal|lobster|crab|shrimp|turtle|diving-mask)$/,
  winter:
    /^(penguin|polar-bear|ski|skis|skier|snowboarder|sled|snowman.*|ice-(hockey|skate)|ice|santa-claus|mrs-claus|mx-claus|christmas-tree|mammoth)$/,
  desert: /^(.*camel|cactus|scorpion|lizard)$/,
  forest:
    /^(bear|fox|owl|deer|moose|wolf|squirrel|chipmunk|badger|beaver|boar|camping|tent|wood|axe|mushroom|brown-mushroom|raccoon|gorilla|monkey|tiger|leopard|orangutan|panda)$/,
  sea: /^(sailboat|lighthouse|speedboat|motor-boat|ship|passenger-ship|ferry|canoe|anchor|person-(surfing|rowing-boat|swimming))$/,
  beach:
    /^(crab|palm-tree|umbrella-on-ground|coconut|tropical-drink|spiral-shell|thong-sandal|one-piece-swimsuit|volleyball)$/,
  sky: /^(airplane.*|hot-air-balloon|small-airplane|helicopter|parachute|kite|balloon|bird|eagle|dove|bat|flying-.*|rainbow|cloud.*|sun-.*|wind-face|wing|feather|suspension-railway|aerial-tramway|mountain-cableway)$/,
  stars:
    /^(rocket|satellite|ringed-planet|comet|astronaut|alien.*|telescope|shooting-star|ufo|.*moon.*|witch|ghost)$/,
  city: /^(automobile|sport-utility-vehicle|taxi|bus|minibus|tram.*|train|metro|light-rail|monorail|.*truck|.*lorry|ambulance|fire-engine|police-(car|officer)|motor.*|auto-rickshaw|kick-scooter|bicycle|person-biking|racing-car|trolleybus|office-building|bank|hotel|hospital|post-office|department-store|convenience-store|traffic.*|bus-stop|station|detective|firefighter)$/,
  meadow:
    /^(house.*|hut|school|church|castle|mosque|.*temple|tractor|farmer|locomotive|.*train|bullet-train|railway-car|fuel-pump|factory|barn|deciduous-tree|national-park|stadium|soccer-ball|person-(running|walking|golfing|mountain-biking)|basket|ferris-wheel|roller-coaster|circus-tent|fountain|bench|playground-slide|wedding)$/,
  studio: /^(bouquet|potted-plant|paw-prints|rosette|microbe|pig-nose)$/,
};

/** Drawings that are left out by their kind, and are needed all the same: people of several looks. */
const needed = new Set(
  (
    'woman-medium-dark woman-light man-medium-dark man-light man-beard woman-technologist tokyo-tower speech-balloon ' +
    'woman-office-worker woman-office-worker-medium-dark man-office-worker-medium-light man-office-worker-dark'
  ).split(' '),
);

const { icons }: { readonly icons: Readonly<Record<string, { readonly body: string }>> } = load(
  '@iconify-json/fluent-emoji-flat/icons.json',
);
const { categories }: { readonly categories: Readonly<Record<string, readonly string[]>> } = load(
  '@iconify-json/fluent-emoji-flat/metadata.json',
);

/** English first: where two languages share a word, the earlier one decides. */
const languages = ['en', 'es', 'pt', 'de', 'fr', 'it', 'nl', 'ja', 'zh', 'ko', 'ru'] as const;

const kept = [
  'Activities',
  'Animals & Nature',
  'Food & Drink',
  'Objects',
  'People & Body',
  'Smileys & Emotion',
  'Travel & Places',
];
/** Skin tones, a person by gender where there is a neutral one, gestures, signs, clocks, and what no page shows. */
const left = new RegExp(
  [
    '-(dark|light|medium|medium-dark|medium-light)(-|$)',
    '^(wo)?man-(?!s-)|-facing-right$|-thirty$|-oclock$|pointing|fist|-hand$|^hand-|gesturing|wards-|horns$',
    '^(black|blue|brown|green|grey|light-blue|orange|pink|purple|white|yellow)-heart$|-suit$|-(cat|monkey)$|^cat-with',
    'speech|thought|anger|bubble$|-quarter-|gibbous|waning|waxing|new-moon|mailbox-|banknote|yen|-tray$|-speaker$',
    'middle-finger|pile-of-poo|cigarette|coffin|urn|headstone|vomit|sex|bikini|briefs|water-pistol|bomb$|dagger|love-hotel',
    'zombie|vampire|merpeople|bunny|goblin|ogre|genie|-elf$|supervillain|levitating|person-(bald|beard|.*-hair|pouting)$',
    'oncoming-|moai|map-of-japan|kaaba|tokyo-tower|mahjong|hundred-points|collision|dotted|-button|squinting|grimacing',
  ].join('|'),
);
const drawings = Object.fromEntries(
  kept.flatMap((category) =>
    (categories[category] ?? []).flatMap((name) => {
      const body = icons[name]?.body;
      const isLeft = left.test(name) && !needed.has(name);
      return body === undefined || isLeft ? [] : [[name, [category, body] as const]];
    }),
  ),
);

const defaultPlaces: Readonly<Record<string, Place>> = {
  'Animals & Nature': 'meadow',
  'Food & Drink': 'table',
};

const nameOf = new Map(
  annotationsOf('en').map(([emoji, name = '']) => [
    emoji,
    name
      .toLowerCase()
      .replace(/[’'.:“”]/g, '')
      .replaceAll(' ', '-'),
  ]),
);

const written = (text: string): string => termsOf(text).join(' ');
/** The subject of each word, and whether the word is English (0) or of another language (1). */
const words = new Map<string, readonly [name: string, list: 0 | 1]>();
for (const [name, lists] of Object.entries(aliases))
  for (const [at, list] of lists.split('; ').entries())
    for (const word of list.split(', ')) words.set(written(word), [name, at === 0 ? 0 : 1]);
for (const language of languages) {
  const titles = annotationsOf(language).flatMap(([emoji, title = '']) => {
    const name = nameOf.get(emoji) ?? '';
    return drawings[name] ? [[written(title), name] as const] : [];
  });
  for (const [word, name] of titles)
    if (!words.has(word) && !VAGUE.has(word) && !/^(\d.*|[a-z]?)$/.test(word))
      words.set(word, [name, language === 'en' ? 0 : 1]);
}

const subjects: Record<string, [Place, string[], string[]]> = {};
for (const [word, [name, list]] of words) {
  const place =
    (Object.entries(places) as [Place, RegExp][]).find(([, pattern]) => pattern.test(name))?.[0] ??
    defaultPlaces[drawings[name]?.[0] ?? ''] ??
    'studio';
  subjects[name] ??= [place, [], []];
  subjects[name][list === 0 ? 1 : 2].push(word);
}
write(
  `${folder}/words.json`,
  Object.fromEntries(
    Object.entries(subjects).map(([name, [place, ...lists]]) => [
      name,
      [place, ...lists.map((list) => list.join(','))],
    ]),
  ),
);
const bodies = Object.fromEntries(Object.entries(drawings).map(([name, [, body]]) => [name, body]));
/** The tower of Tokyo in brown is that of Paris. */
const eiffelTower = (bodies['tokyo-tower'] ?? '').replace(/#[\da-f]{3,6}/gi, (colour) =>
  /^#(ff|f)/i.test(colour) ? '#8d7156' : '#b79a7c',
);
write(`${folder}/drawings.json`, { ...bodies, ...own, 'eiffel-tower': eiffelTower });

const { parse } = load('opentype.js');
const files = join(dirname(load.resolve('@fontsource/nunito/package.json')), 'files');
const glyphs: Record<string, readonly [advance: number, outline: string]> = {};
for (const script of ['latin', 'latin-ext', 'cyrillic']) {
  const file = readFileSync(join(files, `nunito-${script}-800-normal.woff`));
  const font = parse(new Uint8Array(file).buffer);
  for (let code = 0x20; code < 0x450; code += 1) {
    const character = String.fromCharCode(code);
    const glyph = font.charToGlyph(character);
    if (
      glyph.index === 0 ||
      glyphs[character] ||
      (code > 0x17f && code < 0x410) ||
      !/[\p{L}\p{N} &'’!?.,-]/u.test(character)
    )
      continue;
    const outline = glyph.getPath(0, 0, 400, undefined, font).toPathData(0);
    glyphs[character] = [Math.round(((glyph.advanceWidth ?? 0) * 400) / font.unitsPerEm), outline];
  }
}
write(`${folder}/letters.json`, glyphs);
process.stdout.write(
  `${Object.keys(drawings).length} drawings, ${words.size} words, ${Object.keys(glyphs).length} letters\n`,
);
