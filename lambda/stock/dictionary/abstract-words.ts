/** Lists concrete things to search for in place of abstract words: `seedling` for `growth`. By hand. */

/** One or two words that an image of the thing is described by. */
const things: Readonly<Record<string, string>> = {
  ...shownFor('people meeting', 'teamwork team collaboration cooperation partnership business management'),
  ...shownFor('office meeting', 'strategy consulting planning leadership productivity entrepreneurship'),
  ...shownFor('brainstorming office', 'innovation creativity ideas idea inspiration'),
  ...shownFor('seedling', 'growth sustainability ecology environment development progress'),
  ...shownFor('mountain summit', 'success achievement ambition goal motivation challenge'),
  ...shownFor('dove', 'peace'),
  ...shownFor('people hugging', 'friendship love trust compassion empathy kindness'),
  ...shownFor('handshake', 'agreement deal negotiation loyalty'),
  ...shownFor('padlock', 'security safety privacy cybersecurity'),
  ...shownFor('luxury car', 'luxury wealth prestige elegance'),
  ...shownFor('vintage', 'nostalgia memory memories history tradition heritage'),
  ...shownFor('sunrise', 'hope optimism future opportunity'),
  ...shownFor('bird flying', 'freedom liberty independence'),
  ...shownFor('courthouse', 'justice law democracy politics equality'),
  ...shownFor('money coins', 'finance economy investment profit savings budget'),
  ...shownFor('stock chart', 'marketing analytics statistics inflation sales'),
  ...shownFor('circuit board', 'technology ai electronics automation'),
  ...shownFor('computer code', 'software programming data algorithm'),
  ...shownFor('classroom', 'education learning knowledge teaching'),
  ...shownFor('library books', 'wisdom literature philosophy research'),
  ...shownFor('laboratory', 'science chemistry medicine biology'),
  ...shownFor('smiling people', 'happiness joy fun laughter'),
  ...shownFor('rain window', 'sadness melancholy loneliness depression grief'),
  ...shownFor('yoga', 'wellness mindfulness balance health serenity harmony relaxation'),
  ...shownFor('calm lake', 'silence tranquility calmness patience solitude'),
  ...shownFor('race car', 'speed velocity competition power performance'),
  ...shownFor('runner', 'fitness endurance energy strength'),
  ...shownFor('hourglass', 'time eternity deadline'),
  ...shownFor('storm', 'danger fear anger chaos crisis'),
  ...shownFor('crowd', 'society community diversity culture unity'),
  ...shownFor('airplane', 'travel adventure exploration'),
  ...shownFor('smartphone', 'communication connection media'),
};

function shownFor(thing: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, thing]));
}

/** Returns the thing that is photographed for an abstract word in lower case; `undefined` for others. */
export function concreteWordFor(word: string): string | undefined {
  // Every object has a `constructor`, which is no word of the table.
  return Object.hasOwn(things, word) ? things[word] : undefined;
}
