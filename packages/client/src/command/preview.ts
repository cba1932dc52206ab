/** Small images between the lines of a terminal that can show them, by the inline images of iTerm2. */

const heightInLines = 3;
const loadTimeoutMs = 10_000;

/** Whether a terminal shows inline images. @param program as `TERM_PROGRAM` names it */
export function showsImages(isTerminal: boolean, program: string | undefined): boolean {
  return isTerminal && (program === 'iTerm.app' || program === 'WezTerm');
}

/**
 * One line for each image, with its words; without an image where it does not load.
 * @see https://iterm2.com/documentation-images.html
 */
export async function previews(
  images: readonly { readonly src?: string; readonly query: string }[],
): Promise<string> {
  const line = async ({ src = '', query }: (typeof images)[number]): Promise<string> => {
    if (!/^https?:/.test(src)) return '';
    try {
      const response = await fetch(src, { signal: AbortSignal.timeout(loadTimeoutMs) });
      const image = Buffer.from(await response.arrayBuffer()).toString('base64');
      return response.ok ? `\x1b]1337;File=inline=1;height=${heightInLines}:${image}\x07 ${query}\n` : '';
    } catch {
      return '';
    }
  };
  return (await Promise.all(images.map(line))).join('');
}
