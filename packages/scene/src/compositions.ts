/** Pictures that are composed by hand, for words that no single drawing means. */

import type { Place, Time } from './landscapes';

/** A drawing, in hundredths of the scene's height: how far aside and up its foot is, and its side. */
export interface Figure {
  readonly name: string;
  readonly aside: number;
  readonly up: number;
  readonly side: number;
}

/** A picture that is composed by hand: its place, and its figures from back to front. */
export interface Composition {
  readonly place: Place;
  readonly time?: Time;
  readonly figures: readonly Figure[];
}

const ada = 'woman-office-worker-medium-dark';
const bea = 'woman-office-worker';
const carl = 'man-office-worker-medium-light';
const dan = 'man-office-worker-dark';

/** Pictures by words that mean them: place and perhaps time, then name, aside, up and side of each figure. */
const pictures: Readonly<Record<string, string>> = {
  'team, about us, staff, team of three, our people, employees, colleagues, business people, business team': `studio: ${ada} -36 0 62, ${carl} 36 0 62, ${bea} 0 0 74`,
  'group of people, people, community, crowd, audience, customers, friends': `meadow: ${dan} -20 14 50, ${bea} 20 14 50, ${ada} -42 0 54, artist 0 0 58, ${carl} 42 0 54`,
  'team meeting, meeting, business meeting, conference, meeting room, workshop, brainstorming, discussion': `studio: bar-chart 0 68 30, ${ada} -42 16 52, ${carl} 42 16 52, ${dan} 0 16 50, desk 0 -20 150, laptop -16 17 26, hot-beverage 26 17 14`,
  'teamwork, collaboration, cooperation, partnership': `studio: ${ada} -40 0 60, ${carl} 40 0 60, handshake 0 12 42`,
  'businesswoman, business woman, businesswoman portrait, female executive': `studio: ${ada} 0 0 86, briefcase 46 5 30`,
  'ceo, manager, businessman, executive, boss, director, entrepreneur': `studio: office-building 32 12 70, ${carl} -14 0 84`,
  'hr, human resources, recruiting, recruitment, hiring, job interview, careers': `studio: ${bea} -40 0 66, ${dan} 40 0 66, clipboard 0 10 42`,
  'customer support, support, call center, customer service, help desk, hotline, contact us, it support, technical support, tech support, it service': `studio: ${bea} -12 0 84, headset -12 0 84, speech-balloon 40 50 36`,
  'live chat, chat, messaging, conversation, dialogue':
    'studio: mobile-phone 0 10 62, speech-balloon -36 46 36, speech-balloon 36 30 36',
  'data analytics, analytics, dashboard, statistics, data analysis, data, business intelligence, metrics, report, growth, business growth, revenue, profit, return on investment':
    'studio: bar-chart -28 14 56, chart-increasing 32 14 56, magnifying-glass-tilted-left 6 6 36',
  'technology, tech, digital, digitalization, devices, electronics':
    'studio: gear -44 50 24, desktop-computer -18 12 60, mobile-phone 40 12 42',
  'marketing, advertising, digital marketing, social media marketing, promotion, seo':
    'studio: megaphone -20 16 58, chart-increasing 36 14 44',
  'mission, goal, goals, target, objective, strategy': 'studio: bullseye 0 12 72',
  'success, achievement, winner, award, awards, excellence':
    'studio: confetti-ball -44 12 34, sports-medal 44 12 34, trophy 0 12 66',
  'innovation, research and development, new ideas':
    'studio: gear -42 12 38, rocket 42 20 38, light-bulb 0 12 70',
  'ai, artificial intelligence, machine learning, deep learning, chatbot, generative ai, neural network':
    'studio: brain 40 34 40, sparkles -46 54 24, robot -8 12 62',
  'security, cybersecurity, data security, cyber security, privacy, data protection':
    'studio: shield 0 10 80, locked 0 26 36',
  'cloud computing, the cloud, cloud storage, cloud services, saas, web hosting, hosting':
    'studio: cloud 0 42 60, laptop -42 12 36, desktop-computer 0 10 36, mobile-phone 42 12 30',
  'blockchain, crypto, cryptocurrency, bitcoin, web3':
    'studio: package -46 20 34, package 0 20 34, package 46 20 34, link -23 24 22, link 23 24 22, coin 0 60 26',
  'sustainability, environment, ecology, eco, green energy, climate, climate change':
    'meadow: globe-showing-europe-africa -16 14 62, seedling 38 10 44',
  'solar panels, solar panel, solar energy, solar power, photovoltaic, photovoltaics, renewable energy':
    'meadow day: solar-panel -36 20 46, solar-panel 20 8 62',
  'wind turbine, wind turbines, wind energy, wind power, wind farm':
    'meadow day: wind-turbine 44 24 46, wind-turbine -40 20 60, wind-turbine 4 8 84',
  'office, offices, startup office, modern office, coworking, coworking space, workplace, office interior':
    'studio: window -40 56 34, window 10 56 34, potted-plant 56 16 34, desk -2 -12 120, desktop-computer -22 18 36, hot-beverage 6 18 14, rocket 30 20 22',
  'desk, laptop on desk, workspace, work desk, desk setup':
    'studio: desk 0 -16 140, potted-plant -42 18 30, laptop 0 17 50, hot-beverage 42 18 20',
  'remote work, home office, working from home, work from home, telework':
    'meadow: house 36 14 60, woman-technologist -18 0 78',
  'developer, coding, programmer, developer coding, programming, software development, web development':
    'studio: gear 46 46 28, technologist 0 0 86',
  'warehouse, warehouse logistics, logistics, supply chain, fulfilment, freight, shipping':
    'street: articulated-lorry 24 10 66, package -54 8 28, package -30 8 28, package -42 30 28',
  'wedding couple, wedding, bride and groom, newlyweds, marriage':
    'meadow: person-in-tuxedo 26 0 76, person-with-veil -24 0 76, red-heart 2 76 18',
  'family, families, parents':
    'meadow: man-light -42 10 42, woman-light 40 10 42, boy -12 2 32, girl 16 2 32',
  'family dinner, family meal, dinner party, dinner table':
    'studio: man-light -50 30 38, woman-light 50 30 38, boy -17 30 32, girl 17 30 32, desk 0 -12 160, spaghetti -34 19 20, pot-of-food 0 18 20, green-salad 34 19 20',
  'children playing, kids playing, playground, children':
    'meadow: playground-slide 34 20 56, girl -42 6 36, boy -8 4 36, soccer-ball 18 5 16',
  'nurse with patient, patient, patient care, hospital room':
    'studio: person-in-bed 24 8 70, health-worker -40 0 80',
  'dentist, dental, dental clinic, orthodontist': 'studio: health-worker -20 0 80, tooth 34 18 42',
  'lawyer, attorney, law firm, solicitor, legal advice': `studio: balance-scale 38 12 52, ${carl} -18 0 80`,
  'plumber, plumbing': 'studio: shower 40 20 50, mechanic -14 0 82',
  'barber, barbershop, barber shop': 'studio: barber-pole -44 10 66, person-getting-haircut 10 0 80',
  'florist, flower shop': 'studio: tulip -40 10 42, potted-plant 40 10 42, bouquet 0 10 64',
  'chef, chef cooking': 'table: cook -16 0 84, cooking 42 8 40',
  'kitchen, kitchen interior, kitchen counter':
    'table: window 0 54 38, kitchen-knife -54 42 26, cooking -34 12 42, pot-of-food 8 12 42, teapot 46 12 34',
  'cafe, café, coffee shop, coffeehouse':
    'table: shortcake -40 12 34, croissant 40 10 34, hot-beverage 0 12 58',
  'vegetables, vegetables market, fresh vegetables market, market, farmers market, vegetable':
    'table: leafy-green -28 30 36, eggplant 4 32 34, ear-of-corn 34 30 36, broccoli -48 8 34, tomato -16 8 30, carrot 14 8 34, bell-pepper 46 8 34',
  'living room, lounge, interior design':
    'studio: framed-picture -30 62 22, couch-and-lamp -6 8 82, potted-plant 54 8 32',
  'hotel room, bedroom, guest room': 'studio: window 20 56 36, bed -8 6 84, luggage 52 8 34',
  'swimming pool, pool, swimming':
    'meadow day: palm-tree -56 40 50, pool 0 -6 170, person-swimming -6 14 40, ring-buoy 40 14 20',
  'real estate, real estate house, house for sale, property, realtor, mortgage':
    'meadow: house-with-garden -12 12 70, key 46 12 30',
  'forest path, forest trail, woodland path, forest road, path in the forest, trail in the woods':
    'forest: path 0 -8 110',
  'paris, eiffel tower': 'meadow: eiffel-tower 0 12 84',
  london: 'street: clock-tower 36 14 84, bus 0 6 44, guard -42 0 60',
  'new york, new york skyline, new york city, manhattan': 'city: statue-of-liberty -36 10 62',
  'tokyo, tokyo street, japan':
    'street night: tokyo-tower 40 16 76, red-paper-lantern -52 60 26, red-paper-lantern -24 66 22, taxi -14 6 40',
  'abstract, abstract background, gradient, abstract gradient, abstract gradient background, gradient background, texture':
    'abstract: ',
};

const readFigures = (text: string): readonly Figure[] =>
  text
    .split(', ')
    .filter(Boolean)
    .map((figure) => {
      const [name = '', aside, up, side] = figure.split(' ');
      return { name, aside: Number(aside), up: Number(up), side: Number(side) };
    });

/** Each picture by all of its words. */
export const compositions: Readonly<Record<string, Composition>> = Object.fromEntries(
  Object.entries(pictures).map(([words, picture]) => {
    const [where = '', figures = ''] = picture.split(': ');
    const [place, time] = where.split(' ') as [Place, Time?];
    return [words, { place, ...(time && { time }), figures: readFigures(figures) }];
  }),
);

/** The figures that stand in a place without a subject. */
export const figuresByPlace: Readonly<Partial<Record<Place, readonly Figure[]>>> = {
  sea: readFigures('sailboat 0 36 17'),
  beach: readFigures('umbrella-on-ground -10 7 22, palm-tree 42 5 62'),
  meadow: readFigures('deciduous-tree -30 33 14, deciduous-tree 42 20 38'),
  desert: readFigures('cactus 52 12 30'),
  winter: readFigures('house 24 25 18'),
  stars: readFigures('camping 30 8 18'),
};
