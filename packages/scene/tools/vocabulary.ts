/** What is added to the words of CLDR: other names, places of subjects, and words that name nothing. */
import type { Place } from '../src/subjects';

/** What pages call a subject and CLDR does not: trades, rooms, business, landscapes. They win over the words of CLDR. */
export const aliases: Readonly<Record<string, string>> = {
  'artist-palette': 'art, painter, painting, artwork, gallery, pintor, maler',
  artist: 'artist, illustrator',
  automobile: 'car, auto, sports car, coche, carro, voiture, wagen, automóvil, 車',
  'balance-scale':
    'lawyer, attorney, law, law firm, legal, notary, justice, solicitor, abogado, advogado, anwalt, rechtsanwalt',
  bank: 'bank, banking, insurance',
  bathtub: 'bathroom, bath, bathtub, spa, badezimmer, baño, banheiro, salle de bain, bagno, 風呂, 浴室',
  bed: 'bed, bedroom, hotel room, guest room, mattress, furniture store, schlafzimmer, dormitorio, quarto, chambre, 寝室',
  bicycle: 'bike, cycling, cyclist',
  'birthday-cake': 'birthday, cake, celebration cake, pastry shop, confectioner',
  bouquet: 'florist, flower shop, flowers, bouquet, floristería, florista, blumenladen, fleuriste',
  bread: 'bread, bakery, baker, bäckerei, bäcker, panadería, padaria, boulangerie, pão, pan, パン屋',
  briefcase: 'business, career, job, consulting, consultant, corporate',
  broom: 'cleaning, cleaner, housekeeping, janitor, limpieza, limpeza, reinigung',
  calendar: 'appointment, schedule, booking, event',
  camera: 'camera, photographer, photography, photo studio, fotografie, fotógrafo',
  'chart-increasing':
    'growth, finance, investment, investing, sales, marketing, stock market, accounting, accountant, seo',
  'clapper-board': 'film, cinema, movie, filmmaking',
  books: 'library, bookstore, bookshop, biblioteca, bibliothek, 図書館',
  'closed-book': 'book, novel, libro, livro, buch, 本',
  'office-building':
    'office, offices, workplace, coworking, headquarters, company, büro, oficina, escritório, bureau, ufficio, オフィス, 会社',
  'construction-worker':
    'builder, construction, construction site, roofer, bricklayer, mason, tradesman, contractor, bauarbeiter',
  'couch-and-lamp':
    'living room, sofa, couch, lounge, interior, interior design, furniture, home decor, wohnzimmer, salón, sala, salon, soggiorno, リビング',
  'fork-and-knife-with-plate':
    'restaurant, dinner, lunch, dining, dining room, catering, meal, bistro, diner, restaurante',
  cooking: 'kitchen, cooking, cuisine, recipe, küche, cocina, cozinha, cucina, 台所, キッチン',
  cook: 'chef, cook, koch, cocinero, cozinheiro',
  'crying-face': 'sadness, sad, grief, tristeza, traurig, triste, 悲しい',
  'credit-card': 'payment, checkout, shopping online',
  'delivery-truck': 'delivery, courier, moving company, logistics, shipping, freight, mover',
  'electric-plug': 'electrician, electricity, electrical, electricista, elektriker, eletricista',
  'face-screaming-in-fear': 'fear, scared',
  farmer: 'farmer, gardener, gardening, landscaping, agriculture, bauer, gärtner',
  'framed-picture': 'museum, exhibition',
  'graduation-cap': 'education, university, graduation, college, universidad, universität',
  'green-salad': 'salad, vegan, vegetarian, healthy food, diet, nutrition',
  'grinning-face': 'happy, happiness, smile, smiling, feliz, glücklich, alegría, felicidade, 幸せ',
  'hammer-and-wrench':
    'repair, maintenance, handyman, workshop, tools, renovation, craftsman, handwerker, diy',
  handshake: 'teamwork, partnership, deal, agreement, trust, meeting, team, customer, client, cooperation',
  'health-worker':
    'doctor, physician, nurse, medicine, clinic, healthcare, medical, surgeon, arzt, ärztin, médico, krankenschwester, enfermera, 医者',
  'hot-beverage':
    'coffee, coffee cup, cup, mug, coffee shop, cafe, café, espresso, cappuccino, latte, barista, kaffee, 喫茶店, カフェ',
  house: 'home, real estate, realtor, property, mortgage, architecture, immobilien',
  key: 'locksmith, rental, airbnb',
  laptop:
    'laptop, computer, notebook computer, remote work, home office, web design, website, workspace, ordenador, portátil, パソコン',
  'light-bulb': 'idea, innovation, creativity, inspiration',
  locked: 'security, privacy, cybersecurity',
  'magnifying-glass-tilted-left': 'search, research, analysis',
  mechanic:
    'mechanic, plumber, plumbing, car repair, garage, auto repair, technician, klempner, fontanero, encanador, mecánico',
  'mobile-phone': 'phone, smartphone, mobile, app, cell phone, iphone, handy, teléfono, celular',
  'musical-notes': 'music, concert, musik, música',
  'office-worker':
    'manager, ceo, employee, businessman, businesswoman, business people, accountant at work, secretary, boss',
  'party-popper': 'party, celebration, festival',
  'person-getting-haircut':
    'hairdresser, hair salon, barber, barbershop, hairstylist, haircut, friseur, peluquería, peluquero, cabeleireiro, 美容師',
  'person-getting-massage': 'massage, beauty salon, wellness, physiotherapy, therapist, beautician',
  'person-in-lotus-position': 'yoga, meditation, mindfulness',
  'person-lifting-weights':
    'gym, fitness, workout, personal trainer, weightlifting, gimnasio, academia de ginástica, fitnessstudio',
  'person-running': 'running, runner, jogging, marathon, sport',
  pill: 'pharmacy, pharmacist, apotheke, farmacia, farmácia',
  'potted-plant': 'plant, houseplant, garden, gardening tools, nursery',
  'red-heart': 'love, heart, romance, valentine, amor, liebe, coração, corazón, 愛',
  'relieved-face': 'calm, peace, peaceful, relax, relaxation, relaxed, relief',
  ring: 'jewelry, jeweler, jewellery, engagement',
  rocket: 'startup, launch, space',
  'ringed-planet': 'planet, saturn, astronomy, galaxy, universe, cosmos',
  'santa-claus': 'santa',
  'christmas-tree': 'christmas, xmas, weihnachten, navidad, natal, noël, クリスマス',
  scissors: 'tailor, scissors',
  'shopping-cart':
    'supermarket, grocery store, grocery, groceries, e commerce, ecommerce, retail, supermercado, supermarkt',
  'shopping-bags': 'shopping, fashion, boutique, mall, sale',
  stethoscope: 'vet, veterinarian, health, tierarzt, veterinario',
  student: 'student, students, studying, pupil',
  'astonished-face': 'surprise, surprised, amazed, shock, sorpresa, überraschung, 驚き',
  'angry-face': 'anger, angry, ira, wut, 怒り',
  'carpentry-saw':
    'carpenter, carpentry, woodwork, woodworking, joiner, schreiner, tischler, carpintero, carpinteiro, 大工',
  technologist:
    'programmer, developer, software, software engineer, coder, coding, programming, web developer, hacker, designer, freelancer, it, startup team, programador, entwickler, プログラマー',
  tooth: 'dentist, dental, dental clinic, orthodontist, zahnarzt, dentista, 歯医者, 歯科',
  train: 'train, railway, tren, trem, zug, 電車',
  'wine-glass': 'wine, winery, sommelier, vino, vinho, wein, ワイン',
  wedding: 'wedding, bride, marriage, boda, hochzeit, casamento, 結婚式',
  airplane: 'travel, flight, vacation, airline, travel agency, reise, viaje, viagem, plane',
  woman: 'woman, women, lady, girlfriend, businesswoman portrait, frau, mujer, mulher',
  man: 'man, men, guy, mann, hombre, homem',
  child: 'child, children, kid, kids, kindergarten, daycare, kinder, niños, crianças',
  baby: 'baby, newborn, babysitter',
  hotel: 'hotel, hostel, hospitality, resort',
  telephone: 'contact, call us, landline',
  envelope: 'email, mail, newsletter, letter',
  'deciduous-tree': 'tree, trees, árbol, árvore, baum, bäume, arbre, albero, 木',
  'red-apple': 'apple, apples, manzana, maçã, apfel, pomme, りんご',
  'running-shoe': 'shoe, shoes, sneaker, sneakers, footwear, zapatos, sapatos, schuhe, 靴',
  tulip: 'flower, flor, fleur, blume, fiore, 花',
  'leaf-fluttering-in-wind': 'leaf, leaves, foliage, eco, sustainability',
  cat: 'cat, kitten, 猫, ネコ',
  dog: 'dog, 犬, イヌ',
  'dog-face': 'puppy, dog face',
  'paw-prints': 'pets, pet shop, pet store',
  'globe-showing-europe-africa': 'world, global, earth, international, globe',
  'racing-car': 'racing, race car, formula 1',
  'tropical-drink': 'cocktail, cocktails, cocktail bar',
  'beer-mug': 'beer, pub, brewery, bar, bier, cerveza, cerveja, ビール',
  'takeout-box': 'takeout, takeaway, food delivery',
  spaghetti: 'pasta, noodles',
  'steaming-bowl': 'ramen, soup, ラーメン',
  factory: 'factory, manufacturing, industry, industrial, fabrik',
  'factory-worker': 'welder, worker, labor, blacksmith',
  // Landscapes, which have no drawing of their own.
  lake: 'lake, lakes, pond, river, stream, creek, fjord, waterfall, see, bergsee, fluss, lago, laguna, río, rio, lac, rivière, 湖, 川, 滝',
  meadow:
    'meadow, meadows, field, fields, grass, countryside, hill, hills, pasture, prairie, park, valley, wiese, feld, prado, campo, champ, 草原, 公園',
  mountain:
    'mountain, mountains, hiking, climbing, alps, summit, peak, berge, berg, montaña, montanha, montagne, montagna, 山',
  'water-wave': 'sea, ocean, harbour, harbor, bay, pier, marina, waves, meer, mar, océano, mer, mare, 海',
  'beach-with-umbrella': 'beach, coast, seaside, shore, playa, praia, strand, plage, spiaggia, 海岸, ビーチ',
  'desert-island': 'island, tropical island, isla, ilha, insel',
  'evergreen-tree':
    'forest, woods, woodland, jungle, nature, landscape, bosque, floresta, wald, natur, forêt, bosco, 森',
  desert: 'desert, dunes, sahara, desierto, deserto, wüste, 砂漠',
  cityscape:
    'city, skyline, downtown, urban, skyscraper, metropolis, town, ciudad, cidade, stadt, ville, città, new york, 都市, 街',
  'night-with-stars':
    'night, night sky, starry night, stars, nacht, noche, noite, nuit, notte, aurora, 夜, 星空',
  snowflake: 'snow, winter, ice, frost, schnee, nieve, neve, neige, 雪, 冬',
  'golden-hour': 'golden hour, afternoon, golden light',
  sunset: 'sunset, sundown, sonnenuntergang, atardecer, pôr do sol, coucher de soleil, tramonto, 夕日',
  sunrise: 'sunrise, dawn, morning, sonnenaufgang, amanecer, nascer do sol, 朝',
  'cityscape-at-dusk': 'dusk, twilight, evening, abend',
  sun: 'sun, sunny, daylight, summer, sommer, verano, verão',
  spring: 'spring, frühling, primavera, printemps, 春',
  'maple-leaf': 'autumn, fall, autumn leaves, herbst, otoño, outono, automne, 秋',
  fog: 'fog, foggy, mist, misty, haze, nebel, niebla, névoa, brouillard, 霧',
  cloud: 'cloud, clouds, cloudy, overcast, wolken',
  'cloud-with-rain': 'rain, rainy, storm, stormy, regen, lluvia, chuva, pluie, 雨',
};

/** Where subjects are drawn, by their name; the first pattern that matches. */
export const places: readonly (readonly [Place, RegExp])[] = [
  [
    'underwater',
    /fish$|^(octopus|squid|jellyfish|coral|dolphin|shark|whale|spouting-whale|seal|lobster|crab|shrimp|turtle|diving-mask)$/,
  ],
  [
    'winter',
    /^(penguin|polar-bear|ski|skis|skier|snowboarder|sled|snowman.*|ice-(hockey|skate)|ice|santa-claus|mrs-claus|mx-claus|christmas-tree|mammoth)$/,
  ],
  ['desert', /^(.*camel|cactus|scorpion|lizard)$/],
  [
    'forest',
    /^(bear|fox|owl|deer|moose|wolf|squirrel|chipmunk|badger|beaver|boar|camping|tent|wood|axe|mushroom|brown-mushroom|raccoon|gorilla|monkey|tiger|leopard|orangutan|panda)$/,
  ],
  [
    'sea',
    /^(sailboat|speedboat|motor-boat|ship|passenger-ship|ferry|canoe|anchor|person-(surfing|rowing-boat|swimming))$/,
  ],
  [
    'beach',
    /^(crab|palm-tree|umbrella-on-ground|coconut|tropical-drink|spiral-shell|thong-sandal|one-piece-swimsuit|volleyball)$/,
  ],
  [
    'sky',
    /^(airplane.*|small-airplane|helicopter|parachute|kite|balloon|bird|eagle|dove|bat|flying-.*|rainbow|cloud.*|sun-.*|wind-face|wing|feather|suspension-railway|aerial-tramway|mountain-cableway)$/,
  ],
  [
    'stars',
    /^(rocket|satellite|ringed-planet|comet|astronaut|alien.*|telescope|shooting-star|ufo|.*moon.*|witch|ghost)$/,
  ],
  [
    'city',
    /^(automobile|sport-utility-vehicle|taxi|bus|minibus|tram.*|train|metro|light-rail|monorail|.*truck|.*lorry|ambulance|fire-engine|police-(car|officer)|motor.*|auto-rickshaw|kick-scooter|bicycle|person-biking|racing-car|trolleybus|office-building|bank|hotel|hospital|post-office|department-store|convenience-store|traffic.*|bus-stop|station|detective|firefighter)$/,
  ],
  [
    'meadow',
    /^(house.*|hut|school|church|castle|mosque|.*temple|tractor|farmer|locomotive|.*train|bullet-train|railway-car|fuel-pump|factory|barn|deciduous-tree|national-park|stadium|soccer-ball|person-(running|walking|golfing|mountain-biking)|basket|ferris-wheel|roller-coaster|circus-tent|fountain|bench|playground-slide|wedding)$/,
  ],
  ['studio', /^(bouquet|potted-plant|paw-prints|rosette|microbe|pig-nose)$/],
];

/** Words that name nothing by themselves: colours, sizes, words of praise and of the trade of making pages. */
export const vague: ReadonlySet<string> = new Set(
  (
    'red orange yellow green blue purple pink brown black white grey gray gold golden silver color colour dark light bright ' +
    'big small large little tall long short old new young modern vintage classic fresh clean good best great nice beautiful pretty ' +
    'cute cool fun fast slow hot cold warm open closed close full empty high low top left right up down front back free easy ' +
    'a an and the of for with without in on at by to from near over under is are no not my your our their this that ' +
    'or what male female aerial tropical de la el los las del en con un una para por o os as do da dos das em com um uma der die das ein eine und im mit von für le les des et ' +
    'une du au aux dans il lo gli e di che の に は を と が で ' +
    'place thing object item face person people human body part set group kind type one two three first last day time year ' +
    'image photo picture background banner hero icon symbol sign emoji illustration drawing wallpaper template design style view scene ' +
    'solar data be do go get make made have has can will use using work working looking holding sitting standing wearing rest'
  ).split(' '),
);
