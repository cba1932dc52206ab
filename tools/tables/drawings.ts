/**
 * Writes the tables in `packages/scene/data`: `npx tsx tools/tables/drawings.ts`.
 * Drawings: Fluent Emoji (Microsoft, MIT). Words: Unicode CLDR. Letters: Nunito (OFL 1.1).
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Setting } from '../../packages/scene/src/landscapes';
import { splitTokens, vagueWords } from '../../packages/scene/src/subjects';
import aliases from './data/aliases.json';
import own from './data/own-drawings.json';
import { loadPackage, readAnnotations, writeDataTable } from './sources';

const folder = 'packages/scene/data';

/** The place of a subject, by a pattern of its name. The first pattern that matches counts. */
const places: Readonly<Partial<Record<Setting, RegExp>>> = {
  table: /^((laptop|desktop-computer)\||(laptop\+hot-beverage|pot-of-food|cook|cooking|bouquet)\+)/,
  underwater:
    /fish$|^(octopus|squid|jellyfish|coral|dolphin|shark|whale|spouting-whale|seal|lobster|crab|shrimp|turtle|diving-mask)$/,
  winter:
    /^(penguin|polar-bear|ski|skis|skier|snowboarder|sled|snowman.*|ice-(hockey|skate)|ice|santa-claus|mrs-claus|mx-claus|christmas-tree|mammoth)$/,
  desert: /^(.*camel|cactus|scorpion|lizard)$/,
  forest:
    /^(path|bear|fox|owl|deer|moose|wolf|squirrel|chipmunk|badger|beaver|boar|camping|tent|wood|axe|mushroom|brown-mushroom|raccoon|gorilla|monkey|tiger|leopard|orangutan|panda)$/,
  sea: /^(sailboat|lighthouse|speedboat|motor-boat|ship|passenger-ship|ferry|canoe|anchor|person-(surfing|rowing-boat|swimming))$/,
  beach:
    /^(crab|palm-tree|umbrella-on-ground|coconut|tropical-drink|spiral-shell|thong-sandal|one-piece-swimsuit|volleyball)$/,
  sky: /^(airplane.*|hot-air-balloon|small-airplane|helicopter|parachute|kite|balloon|bird|eagle|dove|bat|flying-.*|rainbow|cloud.*|sun-.*|wind-face|wing|feather|suspension-railway|aerial-tramway|mountain-cableway)$/,
  stars:
    /^(astronaut|rocket|satellite|ringed-planet|comet|alien.*|telescope|shooting-star|ufo|.*moon.*|witch|ghost)$/,
  city: /^((clock|tokyo)-tower|statue-of-liberty|automobile|sport-utility-vehicle|taxi|bus|minibus|tram.*|train|metro|light-rail|monorail|.*truck|.*lorry|ambulance|fire-engine|police-car|motor.*|auto-rickshaw|kick-scooter|bicycle|person-biking|racing-car|trolleybus|office-building|bank|hotel|hospital|post-office|department-store|convenience-store|traffic.*|bus-stop|station|firefighter|police-officer|construction-worker|guard)$/,
  meadow:
    /^(child\+.*|person-with-veil\+.*|woman-technologist\+.*|farmer|solar-panel|wind-turbine|globe.*|pool|eiffel-tower|house.*|hut|school|church|castle|mosque|.*temple|tractor|locomotive|.*train|bullet-train|railway-car|fuel-pump|factory|barn|deciduous-tree|national-park|stadium|soccer-ball|person-(running|walking|golfing|mountain-biking)|basket|ferris-wheel|roller-coaster|circus-tent|fountain|bench|playground-slide|wedding)$/,
  studio: /^(bouquet|potted-plant|paw-prints|rosette|microbe|pig-nose)$/,
};

/** Drawings that are kept although `skippedNames` matches them. */
const keptNames = new Set(
  'woman-medium-dark woman-light man-medium-dark man-light man-beard tokyo-tower speech-balloon'.split(' '),
);

const loadEmoji = (file: string) => loadPackage(`@iconify-json/fluent-emoji-flat/${file}.json`);
const icons: Readonly<Record<string, { readonly body: string }>> = loadEmoji('icons').icons;
const categories: Readonly<Record<string, readonly string[]>> = loadEmoji('metadata').categories;

/** Languages of words. If two have the same word, the earlier one decides. */
const languages = ['en', 'es', 'pt', 'de', 'fr', 'it', 'nl', 'ja', 'zh', 'ko', 'ru'] as const;

const drawnKinds =
  'Activities, Animals & Nature, Food & Drink, Objects, People & Body, Smileys & Emotion, Travel & Places';
/** The place of other subjects, by kind. Subjects of further kinds are drawn in the studio. */
const usual: Readonly<Record<string, Setting>> = { 'Animals & Nature': 'meadow', 'Food & Drink': 'table' };
/** Drawings to leave out: skin tones, people by gender, gestures, signs, clocks, and unfit ones. */
const skippedNames = new RegExp(
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
/** Adds the names of drawings with the same meaning: of an alias, or of a person by gender. */
const addSynonyms = (name: string): string =>
  Object.keys(aliases).find((key) => key.startsWith(`${name}|`) && !key.includes('+')) ??
  [name, `woman-${name}`, `man-${name}`].filter((synonym) => synonym === name || icons[synonym]).join('|');
const drawings = new Map<string, readonly [kind: string, body: string]>();
for (const kind of drawnKinds.split(', '))
  for (const name of categories[kind] ?? [])
    if (!skippedNames.test(name) || keptNames.has(name))
      for (const drawing of addSynonyms(name).split('|'))
        if (icons[drawing]) drawings.set(drawing, [kind, icons[drawing].body]);

const writeSlug = (name: string) =>
  name.toLowerCase().replace(/[’'.:“” ]/g, (sign) => (sign === ' ' ? '-' : ''));
const nameByEmoji = new Map(readAnnotations('en').map(({ emoji, name }) => [emoji, writeSlug(name)]));

/** The place of each subject, with its words in English and in other languages. */
const subjects = new Map<string, [Setting, english: string[], foreign: string[]]>();
const knownWords = new Set<string>();
function addWord(text: string, title: string, isEnglish: boolean): void {
  const word = splitTokens(text).join(' ');
  if (knownWords.has(word)) return;
  knownWords.add(word);
  const [first = ''] = title.split(/[|+]/);
  const isPlaced = ([, pattern]: [string, RegExp]): boolean => pattern.test(title) || pattern.test(first);
  const placeByName = Object.entries(places).find(isPlaced)?.[0] as Setting | undefined;
  const name = title.split('+').map(addSynonyms).join('+');
  const place = placeByName ?? usual[drawings.get(first)?.[0] ?? ''] ?? 'studio';
  if (!subjects.has(name)) subjects.set(name, [place, [], []]);
  subjects.get(name)?.[isEnglish ? 1 : 2].push(word);
}
for (const [name, lists] of Object.entries(aliases))
  for (const [index, list] of lists.split('; ').entries())
    for (const word of list.split(', ')) addWord(word, name, index === 0);
for (const language of languages)
  for (const { emoji, name: title } of readAnnotations(language)) {
    const [word, name] = [splitTokens(title).join(' '), nameByEmoji.get(emoji) ?? ''];
    if (drawings.has(name) && !vagueWords.has(word) && !/^(\d.*|[a-z]?)$/.test(word))
      addWord(word, name, language === 'en');
  }
const rows = [...subjects].map(([name, [place, ...lists]]) => [name, [place, ...lists.map(String)]]);
writeDataTable(`${folder}/words.json`, Object.fromEntries(rows));

const bodies = Object.fromEntries([...drawings].map(([name, [, body]]) => [name, body]));
// Each colour gets six digits, because the drawing engine mixes colours.
const shortColour = /#([\da-f])([\da-f])([\da-f])\b/g;
const json = JSON.stringify({ ...bodies, ...own }).replace(shortColour, '#$1$1$2$2$3$3');
writeDataTable(`${folder}/drawings.json`, JSON.parse(json));

const { parse } = loadPackage('opentype.js');
const files = join(dirname(loadPackage.resolve('@fontsource/nunito/package.json')), 'files');
/** Characters of European languages: Latin, then Cyrillic. */
const codes = Array.from({ length: 0x450 - 0x20 }, (_, index) => index + 0x20).filter(
  (code) => code <= 0x17f || code >= 0x410,
);
const characters = String.fromCharCode(...codes).match(/[\p{L}\p{N} &'’!?.,-]/gu) ?? [];
const glyphs: Record<string, readonly [advance: number, outline: string]> = {};
for (const script of ['latin', 'latin-ext', 'cyrillic']) {
  const file = readFileSync(join(files, `nunito-${script}-800-normal.woff`));
  const font = parse(new Uint8Array(file).buffer);
  for (const character of characters) {
    const glyph = font.charToGlyph(character);
    if (glyph.index === 0 || glyphs[character]) continue;
    const outline = glyph.getPath(0, 0, 400, undefined, font).toPathData(0);
    glyphs[character] = [Math.round(((glyph.advanceWidth ?? 0) * 400) / font.unitsPerEm), outline];
  }
}
writeDataTable(`${folder}/letters.json`, glyphs);
