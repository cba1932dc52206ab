/** What is photographed for abstract words: those that pages ask for most. Written by hand. */

/** One or two words that an image of the thing is described by. */
const things: Readonly<Record<string, string>> = {
  ...of('people meeting', 'teamwork team collaboration cooperation partnership business management'),
  ...of('office meeting', 'strategy consulting planning leadership productivity entrepreneurship'),
  ...of('brainstorming office', 'innovation creativity ideas idea inspiration'),
  ...of('seedling', 'growth sustainability ecology environment development progress'),
  ...of('mountain summit', 'success achievement ambition goal motivation challenge'),
  ...of('dove', 'peace'),
  ...of('people hugging', 'friendship love trust compassion empathy kindness'),
  ...of('handshake', 'agreement deal negotiation loyalty'),
  ...of('padlock', 'security safety privacy cybersecurity'),
  ...of('luxury car', 'luxury wealth prestige elegance'),
  ...of('vintage', 'nostalgia memory memories history tradition heritage'),
  ...of('sunrise', 'hope optimism future opportunity'),
  ...of('bird flying', 'freedom liberty independence'),
  ...of('courthouse', 'justice law democracy politics equality'),
  ...of('money coins', 'finance economy investment profit savings budget'),
  ...of('stock chart', 'marketing analytics statistics inflation sales'),
  ...of('circuit board', 'technology ai electronics automation'),
  ...of('computer code', 'software programming data algorithm'),
  ...of('classroom', 'education learning knowledge teaching'),
  ...of('library books', 'wisdom literature philosophy research'),
  ...of('laboratory', 'science chemistry medicine biology'),
  ...of('smiling people', 'happiness joy fun laughter'),
  ...of('rain window', 'sadness melancholy loneliness depression grief'),
  ...of('yoga', 'wellness mindfulness balance health serenity harmony relaxation'),
  ...of('calm lake', 'silence tranquility calmness patience solitude'),
  ...of('race car', 'speed velocity competition power performance'),
  ...of('runner', 'fitness endurance energy strength'),
  ...of('hourglass', 'time eternity deadline'),
  ...of('storm', 'danger fear anger chaos crisis'),
  ...of('crowd', 'society community diversity culture unity'),
  ...of('airplane', 'travel adventure exploration'),
  ...of('smartphone', 'communication connection media'),
};

function of(thing: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, thing]));
}

/** What is photographed for an abstract word in lower case; `undefined` for any other word. */
export function thingFor(word: string): string | undefined {
  // Not `constructor`, which every object has.
  return Object.hasOwn(things, word) ? things[word] : undefined;
}
