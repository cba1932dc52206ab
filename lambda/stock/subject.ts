/** Reads the subject of a query: its weighted words, and the things that the image must not show. */

import { closest, distance } from 'fastest-levenshtein';
import { cutToLength } from '../base/text';
import { type Avoidable, colorNames, queryCharactersMax } from '../contract/request-bounds';
import { findThing } from './dictionary/abstract-words';
import {
  computeRarity,
  englishWords,
  findEmojiName,
  findEnglishName,
  isEnglish,
  isNameIn,
  type Language,
  languages,
} from './dictionary/dictionary';
import { mediumWords, splitIntoWords, stemWord, stopWords } from './words';

export interface SubjectWord {
  readonly word: string;
  readonly stem: string;
  /** How much the word counts in the subject, above 0. Nouns and rare words count more. */
  readonly weight: number;
}

/** What a query asks for. Searches and the ranking use it. */
export interface Subject {
  readonly query: string;
  /** Language of the query (BCP 47); absent if the caller has not named it. */
  readonly lang?: string;
  /** Each stem once, in the order of the query; empty if the query has stop words only. */
  readonly words: readonly SubjectWord[];
  /** Stem of the noun that the first phrase is about; absent if it has no noun. */
  readonly head?: string;
  /** The things that the query excludes: `no people`, `without text`, `empty`. */
  readonly avoid: readonly Avoidable[];
  /** A visible thing to search for, if all words are abstract: `seedling` for `team growth`. */
  readonly thing?: string;
  /** The query without exclusions and introductions, at most 200 characters. Some engines rank by meaning. */
  readonly cleaned: string;
}

const introductionPattern =
  /\b(?:(?:an?|the|some) )?(?:[a-z-]{1,15} ){0,3}(?:photo(?:graph)?|picture|image|shot|illustration|close[ -]?up)s? (?:of|showing|depicting|with)\b/gi;

const avoidablePatterns = {
  people: /\b(?:people|persons?|humans?|faces?|man|men|wom[ae]n|child(?:ren)?|crowds?)\b/i,
  text: /\b(?:text|words?|letters?|writing|logos?|watermarks?|signs?)\b/i,
} as const satisfies Readonly<Record<Avoidable, RegExp>>;
/** Leaves out the flowers `forget-me-not` and `touch-me-not`, and what signs forbid: `no entry`. */
const negationPattern =
  /\b(?:no(?! (?:entry|exit|parking|smoking|swimming|trespassing)\b)|without|(?<!\bme[ -])not|zero(?! no | without )) (?:any |an? |the )?([a-z]{1,20}(?:(?:, ?| and | or | nor )(?!no |without |not |zero )[a-z]{1,20})?)/gi;
const emptyPlacePattern = /\b(?:empty|deserted|unoccupied|unpeopled)\b/gi;

/** Words of the first search of an engine that requires all words. */
export const strictWordsMax = 3;
/** Factors of a word's weight. The head counts more. Words that name no thing and later words count less. */
const weights = { other: 0.7, later: 0.8, head: 1.1, common: 0.2 } as const;
/** Longest name or idiom of another language that is looked up, in words. */
const foreignNameWordsMax = 4;

/** Reads the subject of a query in the named language (BCP 47), or else in the language that is most likely. */
export function parseSubject(query: string, lang?: string): Subject {
  const emoji = /(?:\p{Extended_Pictographic}\uFE0F?(?:\u200D\p{Extended_Pictographic}\uFE0F?)*)/gu;
  const namedQuery = query.normalize('NFKC').replace(emoji, (symbol) => ` ${findEmojiName(symbol) ?? ''} `);
  const { text, avoid } = separateExclusions(namedQuery);
  const description = text.replace(introductionPattern, ' ');
  const english = translateQuery(splitIntoWords(description), lang)?.join(' ') ?? description.toLowerCase();
  const words = splitIntoWords(english);
  const contentWords = listContentWords(words);
  const subjectWords = contentWords.filter(({ word }) => !mediumWords.has(word));
  const queryWords = subjectWords.length > 0 ? subjectWords : contentWords;
  const things = queryWords.map(({ word }) => findThing(word));
  const thing = things.includes(undefined) ? undefined : things.at(-1);
  return {
    query,
    ...(lang !== undefined && { lang }),
    ...weighWords(queryWords, findEndOfFirstPhrase(words, contentWords)),
    ...(thing !== undefined && { thing }),
    avoid,
    cleaned: cutToLength(description.replace(/\s+/g, ' ').trim() || query, queryCharactersMax, ''),
  };
}

/**
 * Separates the things that a query excludes from its other text. People and text are always excluded. Other
 * things are excluded only after a word that the image shows, so `no vacancy motel` excludes nothing. `zero` never
 * excludes them, because it is part of names: `ground zero new york`.
 */
function separateExclusions(query: string): { readonly text: string; readonly avoid: readonly Avoidable[] } {
  const spacedQuery = query.replace(/\s+/g, ' ');
  const negatedTexts = [...spacedQuery.matchAll(negationPattern)].map(([, excluded = '']) => excluded);
  const otherText = spacedQuery.replace(negationPattern, (whole, excluded: string, offset: number) => {
    const textBefore = spacedQuery.slice(0, offset).replace(introductionPattern, ' ');
    const isExcluded =
      findAvoidables(excluded).length > 0 || (!/^zero/i.test(whole) && hasContent(textBefore));
    return isExcluded && hasContent(excluded) ? ' ' : whole;
  });
  const isEmptyPlace = otherText.search(emptyPlacePattern) >= 0;
  const avoid = new Set([
    ...negatedTexts.flatMap(findAvoidables),
    ...(isEmptyPlace ? ['people' as const] : []),
  ]);
  // `empty` alone stays, because a search needs a word.
  const text = splitIntoWords(query).length > 1 ? otherText.replace(emptyPlacePattern, ' ') : otherText;
  return { text, avoid: [...avoid].sort() };
}

function findAvoidables(text: string): readonly Avoidable[] {
  return (['people', 'text'] as const).filter((thing) => avoidablePatterns[thing].test(text));
}

const hasContent = (text: string) => !splitIntoWords(text).every((word) => stopWords.has(word));

/** Rarity above which an English word is more likely a word of another language. */
const rarityMin = 0.92;

/** Returns true if a word is not English, or if it is a rare English word and a name in another language. */
function isForeign(word: string): boolean {
  if (!/^\p{L}/u.test(word)) return false;
  if (!isEnglish(word) && !isEnglish(stemWord(word))) return true;
  return computeRarity(word) > rarityMin && languages.some((language) => isNameIn(word, language));
}

/**
 * Translates a query word for word; `undefined` if it is English or mostly unknown. If no language is named,
 * the language with the most known words is taken, and it must know half of the words.
 */
function translateQuery(words: readonly string[], lang: string | undefined): readonly string[] | undefined {
  const languageCode = getPrimaryLanguage({ lang });
  const namedLanguage = languages.find((language) => language === languageCode);
  if (namedLanguage !== undefined) {
    const { english, known } = translateWords(words, namedLanguage);
    return known.length > 0 ? english : undefined;
  }
  const contentWords = words.filter((word) => !stopWords.has(word));
  if (languageCode === 'en' || !contentWords.some(isForeign)) return undefined;
  const readings = languages.map((language) => {
    const { english, known } = translateWords(words, language);
    return { english, count: known.filter(isForeign).length };
  });
  const bestReading = readings.reduce((best, reading) => (reading.count > best.count ? reading : best));
  return bestReading.count >= Math.max(1, contentWords.length / 2) ? bestReading.english : undefined;
}

/** Translates words, the longest names first. `known`: the words that the language has. */
function translateWords(words: readonly string[], language: Language) {
  const english: string[] = [];
  const known: string[] = [];
  for (let remainingWords = words; remainingWords.length > 0; ) {
    const { span, name } = findLongestName(remainingWords, language);
    english.push(...(name === undefined ? span : splitIntoWords(name)));
    if (name !== undefined) known.push(...span);
    remainingWords = remainingWords.slice(span.length);
  }
  return { english, known };
}

/** Finds the longest span of the first words that has an English name, or else returns the first word. */
function findLongestName(words: readonly string[], language: Language) {
  for (let length = Math.min(foreignNameWordsMax, words.length); length > 0; length--) {
    const span = words.slice(0, length);
    const name = findEnglishName(span.join(' '), language);
    if (name !== undefined) return { span, name };
  }
  return { span: words.slice(0, 1), name: undefined };
}

interface ContentWord extends Pick<SubjectWord, 'word' | 'stem'> {
  readonly isNoun: boolean;
  /** Index among all words of the query. */
  readonly index: number;
}

const prepositions: ReadonlySet<string> = new Set(
  (
    'about above across after against along among around at before behind below beneath beside between beyond by ' +
    'during for from in inside into near of off on onto out outside over past through to toward towards under ' +
    'underneath up upon with within without'
  ).split(' '),
);
/** Endings of words that describe a thing and do not name one: `wooden`, `running`. */
const describingPattern =
  /[a-z]{3}(?:ing|ed|ful|less|ous|ive|able|ible|ic|al|ish|ian|[dknpsz]y|[hst][hty]y)$/;

function listContentWords(words: readonly string[]): readonly ContentWord[] {
  const stems = new Set<string>();
  return words.flatMap((word, index) => {
    const stem = stemWord(word);
    const isLetter = /^\p{Script=Latin}$/u.test(word);
    if (stopWords.has(word) || isLetter || stems.has(stem)) return [];
    stems.add(stem);
    const isDescribing = describingPattern.test(word) || colorNames.some((color) => color === word);
    return [{ word, stem, isNoun: !isDescribing, index }];
  });
}

/** Finds the index at which the first phrase ends: at a preposition, or after a verb that follows the noun. */
function findEndOfFirstPhrase(words: readonly string[], contentWords: readonly ContentWord[]): number {
  const startIndex = contentWords[0]?.index ?? 0;
  const prepositionIndex = words.findIndex((word, index) => prepositions.has(word) && index > startIndex);
  const nounIndex = contentWords.find(({ isNoun }) => isNoun)?.index ?? Infinity;
  // `dog running` of `dog running beach`.
  const verb = contentWords.find(({ word, index }) => /[a-z]{3}ing$/.test(word) && index > nounIndex);
  return Math.min(prepositionIndex < 0 ? Infinity : prepositionIndex, verb ? verb.index + 1 : Infinity);
}

/** Gives more weight to nouns, to rare words and to the first phrase. */
function weighWords(
  contentWords: readonly ContentWord[],
  firstPhraseEnd: number,
): Pick<Subject, 'words' | 'head'> {
  const head = contentWords.findLast(({ isNoun, index }) => isNoun && index < firstPhraseEnd);
  const words = contentWords.map((contentWord) => {
    const { word, stem, isNoun, index } = contentWord;
    const kindWeight = isNoun ? 1 : weights.other;
    const phraseWeight = index < firstPhraseEnd ? 1 : weights.later;
    const rarity = weights.common + (1 - weights.common) * computeRarity(word);
    const headWeight = contentWord === head ? weights.head : 1;
    return { word, stem, weight: kindWeight * phraseWeight * rarity * headWeight };
  });
  return { words, ...(head && { head: head.stem }) };
}

/** Weight of abstract words beside their thing. An image that shows only the thing is not `exact`. */
const abstractWeight = 0.4;

/** Puts the thing before the words of an abstract subject; `undefined` for any other subject. */
export function addThing(subject: Subject): Subject | undefined {
  if (subject.thing === undefined) return undefined;
  const words = splitIntoWords(subject.thing).map((word) => ({ word, stem: stemWord(word), weight: 1 }));
  const abstractWords = subject.words.map((word) => ({ ...word, weight: abstractWeight }));
  const head = words.at(-1)?.stem;
  return { ...subject, words: [...words, ...abstractWords], ...(head !== undefined && { head }) };
}

/** Returns the language of a subject without the region: `pt` for `pt-BR`. */
export function getPrimaryLanguage({ lang }: { readonly lang?: string | undefined }): string | undefined {
  return lang?.split('-')[0]?.toLowerCase();
}

/** Picks the words with the most weight, in the order of the query, as the text of a search. */
export function pickSearchWords({ words }: Subject, count: number): string {
  const heaviestWords = new Set([...words].sort((a, b) => b.weight - a.weight).slice(0, count));
  return words.flatMap((word) => (heaviestWords.has(word) ? word.word : [])).join(' ');
}

/** Replaces words that are not English by the nearest English words; `undefined` if none is replaced. */
export function correctSpelling(subject: Subject): Subject | undefined {
  const words = subject.words.map((subjectWord) => {
    const word = findNearestEnglishWord(subjectWord.word);
    return word === undefined ? subjectWord : { ...subjectWord, word, stem: stemWord(word) };
  });
  return words.every((word, index) => word === subject.words[index]) ? undefined : { ...subject, words };
}

/** Finds the English word with the fewest wrong letters, and with the same first letter, for a misspelt word. */
function findNearestEnglishWord(word: string): string | undefined {
  // Longer words take long to compare.
  if (isEnglish(word) || !/^[a-z]{4,20}$/.test(word)) return undefined;
  const distanceMax = word.length < 6 ? 1 : 2;
  const candidates = englishWords.filter(
    (english) => english[0] === word[0] && Math.abs(english.length - word.length) <= distanceMax,
  );
  const nearestWord = candidates.length > 0 ? closest(word, candidates) : undefined;
  return nearestWord !== undefined && distance(word, nearestWord) <= distanceMax ? nearestWord : undefined;
}
