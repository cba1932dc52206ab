/** The prompts that models receive. */

import { styles } from '../../lambda/contract/request-bounds';
import { promptFor } from '../../lambda/generation/prompt';

it('a prompt begins with the words, is another one for each style, and wants no letters', () => {
  const prompts = styles.map((style) => promptFor({ words: 'mountain lake', style }));
  for (const { prompt, unwanted } of prompts)
    expect([prompt, unwanted]).toEqual([
      expect.stringMatching(/^mountain lake\. /),
      expect.stringMatching(/^text, letters, watermark/),
    ]);
  for (const name of ['prompt', 'unwanted'] as const)
    expect(new Set(prompts.map((prompt) => prompt[name])).size).toBe(styles.length);
  expect(promptFor({ words: 'x', style: 'photo' }).prompt).toMatch(/ultra-realistic photograph/);
  expect(promptFor({ words: 'x', style: 'illustration' }).unwanted).toMatch(/photograph/);
});

it('each variation has a prompt of its own', () => {
  const variations = Array.from({ length: 10 }, (_, index) => ({ variation: index + 1 }));
  const prompts = [{}, ...variations].map((more) => promptFor({ words: 'x', style: 'dark', ...more }).prompt);
  expect(new Set(prompts).size).toBe(11);
});
