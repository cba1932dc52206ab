/** A page with more places than one call fills. */

const adjectives = ['quiet', 'old', 'sunny', 'snowy', 'modern'];
const nouns = 'lake forest city desk bridge garden castle beach river desert harbor market'.split(' ');
const tags = adjectives
  .flatMap((adjective) => nouns.map((noun) => `${adjective} ${noun}`))
  .map((alt) => `<img src="https://picsum.photos/200/150" width="200" height="150" alt="${alt}">`);

/** Sixty placeholders, each with words of its own. */
export const sixtyPlaces = `<!doctype html><title>Sixty places</title><h1>Sixty places</h1>${tags.join('\n')}`;
