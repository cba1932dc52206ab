/** Concrete things to search for in place of abstract words, chosen by hand: `seedling` for `growth`. */

/** The abstract words of each thing. */
const wordsByThing = {
  'people meeting': 'teamwork team collaboration cooperation partnership business management',
  'office meeting': 'strategy consulting planning leadership productivity entrepreneurship',
  'brainstorming office': 'innovation creativity ideas idea inspiration',
  seedling: 'growth sustainability ecology environment development progress',
  'mountain summit': 'success achievement ambition goal motivation challenge',
  dove: 'peace',
  'people hugging': 'friendship love trust compassion empathy kindness',
  handshake: 'agreement deal negotiation loyalty',
  padlock: 'security safety privacy cybersecurity',
  'luxury car': 'luxury wealth prestige elegance',
  vintage: 'nostalgia memory memories history tradition heritage',
  sunrise: 'hope optimism future opportunity',
  'bird flying': 'freedom liberty independence',
  courthouse: 'justice law democracy politics equality',
  'money coins': 'finance economy investment profit savings budget',
  'stock chart': 'marketing analytics statistics inflation sales',
  'circuit board': 'technology ai electronics automation',
  'computer code': 'software programming data algorithm',
  classroom: 'education learning knowledge teaching',
  'library books': 'wisdom literature philosophy research',
  laboratory: 'science chemistry medicine biology',
  'smiling people': 'happiness joy fun laughter',
  'rain window': 'sadness melancholy loneliness depression grief',
  yoga: 'wellness mindfulness balance health serenity harmony relaxation',
  'calm lake': 'silence tranquility calmness patience solitude',
  'race car': 'speed velocity competition power performance',
  runner: 'fitness endurance energy strength',
  hourglass: 'time eternity deadline',
  storm: 'danger fear anger chaos crisis',
  crowd: 'society community diversity culture unity',
  airplane: 'travel adventure exploration',
  smartphone: 'communication connection media',
};

const thingByWord = new Map(
  Object.entries(wordsByThing).flatMap(([thing, words]) =>
    words.split(' ').map((word) => [word, thing] as const),
  ),
);

/** Returns the thing of an abstract word; `undefined` for other words. @param word in lower case */
export function findThing(word: string): string | undefined {
  return thingByWord.get(word);
}
