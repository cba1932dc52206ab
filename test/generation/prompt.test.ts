/** The prompts that models receive. */

import { styles } from '../../lambda/contract/request-bounds';
import { promptFor } from '../../lambda/generation/prompt';

describe('a prompt', () => {
  it('begins with the words and differs clearly between the styles', () => {
    const prompts = styles.map((style) => promptFor({ words: 'mountain lake', style }));
    for (const { prompt } of prompts) expect(prompt).toMatch(/^mountain lake\. /);
    const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[a-z-]{5,}/g));
    for (const [index, one] of prompts.entries())
      for (const other of prompts.slice(index + 1)) {
        const [first, second] = [wordsOf(one.prompt), wordsOf(other.prompt)];
        const inBoth = [...first].filter((word) => second.has(word));
        expect(inBoth.length).toBeLessThan(first.size / 3);
      }
    expect(new Set(prompts.map(({ unwanted }) => unwanted)).size).toBe(styles.length);
  });

  it('asks for photographs in one style and against them in another', () => {
    expect(promptFor({ words: 'x', style: 'photo' }).prompt).toMatch(/ultra-realistic photograph/);
    expect(promptFor({ words: 'x', style: 'illustration' }).unwanted).toMatch(/photograph/);
  });

  it('is another one for every variation, and always the same for one', () => {
    const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
    const prompts = numbers.map((variation) => promptFor({ words: 'x', style: 'dark', variation }).prompt);
    expect(new Set([...prompts, promptFor({ words: 'x', style: 'dark' }).prompt]).size).toBe(11);
    expect(numbers.map((variation) => promptFor({ words: 'x', style: 'dark', variation }).prompt)).toEqual(
      prompts,
    );
  });

  it('never wants letters in the image', () => {
    for (const style of styles)
      expect(promptFor({ words: 'x', style }).unwanted).toMatch(/^text, letters, watermark/);
  });
});
