/** The prompts that models receive. */

import { styles } from '../../lambda/contract/request-bounds';
import { writePrompt } from '../../lambda/generation/prompt';

test('a prompt begins with the words of the request', () => {
  expect(writePrompt({ words: 'mountain lake', style: 'photo' }).prompt).toMatch(/^mountain lake\. /);
});

test('a prompt is cut to 1,024 characters, and the text of its style stays whole', () => {
  const [short, long] = ['x', 'x'.repeat(1_000)].map((words) => writePrompt({ words, style: 'dark' }).prompt);
  expect(long).toHaveLength(1_024);
  expect(long?.endsWith(short?.slice(1) ?? '')).toBe(true);
});

test('each style has another prompt that excludes letters', () => {
  const prompts = styles.map((style) => writePrompt({ words: 'x', style }));
  expect(new Set(prompts.map(({ prompt }) => prompt)).size).toBe(styles.length);
  expect(new Set(prompts.map(({ unwanted }) => unwanted)).size).toBe(styles.length);
  for (const { unwanted } of prompts) expect(unwanted).toMatch(/^text, letters, watermark/);
});

test('each variation has another prompt', () => {
  const variations = Array.from({ length: 10 }, (_, index) => ({ variation: index + 1 }));
  const tasks = [{}, ...variations].map((change) => ({ words: 'x', style: 'dark' as const, ...change }));
  expect(new Set(tasks.map((task) => writePrompt(task).prompt)).size).toBe(11);
});
