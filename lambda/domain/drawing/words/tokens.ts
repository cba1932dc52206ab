/** Splits a query into plain lower-case words that the vocabulary can be asked about. */

/** Words without accents and punctuation; scripts other than Latin stay as they are. */
export function tokensOf(words: string): readonly string[] {
  return words
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((token) => token !== '');
}

/** The forms under which a token may stand in a list: itself, then without an English or a German plural ending. */
export function formsOf(token: string): readonly string[] {
  const forms = [token];
  if (token.length > 4 && token.endsWith('ies')) forms.push(`${token.slice(0, -3)}y`);
  if (token.length > 4 && token.endsWith('es')) forms.push(token.slice(0, -2));
  if (token.length > 3 && token.endsWith('s')) forms.push(token.slice(0, -1));
  if (token.length > 4 && token.endsWith('n')) forms.push(token.slice(0, -1));
  return forms;
}
