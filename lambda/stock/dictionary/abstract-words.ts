/** Concrete things to search for in place of abstract words, chosen by hand: `seedling` for `growth`. */

/** The thing of each abstract word, in one or two words. */
const things: Readonly<Record<string, string>> = {
  ...showFor('people meeting', 'teamwork team collaboration cooperation partnership business management'),
  ...showFor('office meeting', 'strategy consulting planning leadership productivity entrepreneurship'),
  ...showFor('brainstorming office', 'innovation creativity ideas idea inspiration'),
  ...showFor('seedling', 'growth sustainability ecology environment development progress'),
  ...showFor('mountain summit', 'success achievement ambition goal motivation challenge'),
  ...showFor('dove', 'peace'),
  ...showFor('people hugging', 'friendship love trust compassion empathy kindness'),
  ...showFor('handshake', 'agreement deal negotiation loyalty'),
  ...showFor('padlock', 'security safety privacy cybersecurity'),
  ...showFor('luxury car', 'luxury wealth prestige elegance'),
  ...showFor('vintage', 'nostalgia memory memories history tradition heritage'),
  ...showFor('sunrise', 'hope optimism future opportunity'),
  ...showFor('bird flying', 'freedom liberty independence'),
  ...showFor('courthouse', 'justice law democracy politics equality'),
  ...showFor('money coins', 'finance economy investment profit savings budget'),
  ...showFor('stock chart', 'marketing analytics statistics inflation sales'),
  ...showFor('circuit board', 'technology ai electronics automation'),
  ...showFor('computer code', 'software programming data algorithm'),
  ...showFor('classroom', 'education learning knowledge teaching'),
  ...showFor('library books', 'wisdom literature philosophy research'),
  ...showFor('laboratory', 'science chemistry medicine biology'),
  ...showFor('smiling people', 'happiness joy fun laughter'),
  ...showFor('rain window', 'sadness melancholy loneliness depression grief'),
  ...showFor('yoga', 'wellness mindfulness balance health serenity harmony relaxation'),
  ...showFor('calm lake', 'silence tranquility calmness patience solitude'),
  ...showFor('race car', 'speed velocity competition power performance'),
  ...showFor('runner', 'fitness endurance energy strength'),
  ...showFor('hourglass', 'time eternity deadline'),
  ...showFor('storm', 'danger fear anger chaos crisis'),
  ...showFor('crowd', 'society community diversity culture unity'),
  ...showFor('airplane', 'travel adventure exploration'),
  ...showFor('smartphone', 'communication connection media'),
};

function showFor(thing: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, thing]));
}

/** Returns the thing of an abstract word; `undefined` for other words. @param word in lower case */
export function findThing(word: string): string | undefined {
  // `things` also inherits `constructor`, and this is no word of the table.
  return Object.hasOwn(things, word) ? things[word] : undefined;
}
