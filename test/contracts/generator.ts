/** The contract of every generator. Each suite provides the server that causes these outcomes. */

import { type Generator, GeneratorFailure, type GeneratorRequest } from '../../lambda/generation/generator';
import * as codec from '../../lambda/images/sharp/sharp-codec';

export const ask: GeneratorRequest = {
  prompt: 'mountain lake at dawn. A photograph.',
  negativePrompt: 'text, watermark',
  ratio: '16:9',
  seed: 12345,
  words: 'mountain lake at dawn',
  style: 'photo',
};

export interface GeneratorUnderTest {
  readonly generator: Generator;
  /** Makes the next images be refused. */
  refuse(): void;
  /** Makes every further request go unanswered. */
  hang(): void;
  stop?(): Promise<void>;
}

export function describeGenerator(name: string, start: () => Promise<GeneratorUnderTest>): void {
  describe(`the generator: ${name}`, () => {
    let subject: GeneratorUnderTest;
    beforeEach(async () => {
      subject = await start();
    });
    afterEach(() => subject.stop?.());
    const never = new AbortController().signal;

    it('draws an image that can be used, and names its model', async () => {
      const drawn = await subject.generator.generate(ask, never);
      if (drawn.outcome !== 'image') throw new Error(drawn.reason);
      expect(drawn.model).not.toBe('');
      expect(await codec.measure(drawn.bytes)).toMatchObject({
        outcome: 'measured',
        mediaType: drawn.mediaType,
      });
    });

    it('returns a refusal as a value, with a reason and without the prompt', async () => {
      subject.refuse();
      const drawn = await subject.generator.generate(ask, never);
      expect(drawn).toEqual({ outcome: 'refused', reason: expect.any(String) });
      expect(JSON.stringify(drawn)).not.toContain('lake');
    });

    it('gives up when its time is over, with a failure of its own kind', async () => {
      subject.hang();
      const failure = await subject.generator
        .generate(ask, AbortSignal.timeout(50))
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(GeneratorFailure);
      expect(failure).toMatchObject({ kind: 'unavailable', isUnbilled: false });
    });
  });
}
