/** Decodes percent sequences once as UTF-8, and goes on after those that are broken. */

/** Stands for what could not be decoded; no parameter accepts it. */
const replacement = '\ufffd';

/** A text with its percent sequences decoded; each run of broken ones becomes one U+FFFD. */
export function decodePercent(text: string): { readonly text: string; readonly isBroken: boolean } {
  let isBroken = false;
  const decoded = text.replace(/(?:%[0-9a-f]{2})+|%/gi, (sequences) => {
    try {
      return decodeURIComponent(sequences);
    } catch {
      isBroken = true;
      return replacement;
    }
  });
  return { text: decoded, isBroken };
}
