/** What is added to the words of CLDR and to Fluent Emoji: other names, places of subjects, and drawings of our own. */
import type { Place } from '../../packages/scene/src/subjects';

/** What pages call a subject and CLDR does not: trades, rooms, landscapes; in English, then in other languages. They win over the words of CLDR. */
export const aliases: Readonly<Record<string, string>> = {
  'artist-palette': 'art, painter, painting, artwork, gallery; pintor, maler',
  artist: 'artist, illustrator',
  'woman-medium-dark': 'black woman, african woman, african american woman',
  'woman-light': 'asian woman',
  'man-medium-dark': 'black man, african man',
  'man-light': 'asian man',
  'man-beard': 'bearded man, man with beard, beard',
  'sports-car': 'sports car, luxury car',
  drill: 'drill, power drill, cordless drill',
  'espresso-machine': 'espresso machine, coffee machine, coffee maker',
  'chess-pawn': 'chess, chess game, chessboard',
  sailboat: 'boat, sailing boat, sail boat, yacht',
  'racing-car': 'racing, race car, formula 1',
  automobile: 'car, auto; coche, carro, voiture, wagen, automóvil, 車',
  'balance-scale':
    'lawyer, attorney, law, law firm, legal, notary, justice, solicitor; abogado, advogado, anwalt, rechtsanwalt',
  bank: 'bank, banking, insurance',
  bathtub: 'bathroom, bath, bathtub, spa; badezimmer, baño, banheiro, salle de bain, bagno, 風呂, 浴室',
  bed: 'bed, bedroom, hotel room, guest room, mattress, furniture store; schlafzimmer, dormitorio, quarto, chambre, 寝室',
  bicycle: 'bike, cycling, cyclist',
  'birthday-cake': 'birthday, cake, celebration cake, pastry shop, confectioner',
  bouquet: 'florist, flower shop, flowers, bouquet; floristería, florista, blumenladen, fleuriste',
  bread: 'bread, bakery, baker; bäckerei, bäcker, panadería, padaria, boulangerie, pão, pan, パン屋',
  briefcase: 'business, career, job, consulting, consultant, corporate',
  broom: 'cleaning, cleaner, housekeeping, janitor; limpieza, limpeza, reinigung',
  calendar: 'appointment, schedule, booking, event',
  hamburger: 'burger, cheeseburger, fast food',
  'bar-chart': 'chart, graph, diagram',
  'wrapped-gift': 'gift, present, gifts',
  'world-map': 'map',
  'french-fries': 'fries, chips',
  'cut-of-meat': 'steak, meat, barbecue, bbq, grill',
  grapes: 'fruits',
  amphora: 'vase, vases',
  'honey-pot': 'honey, honey jar',
  'high-heeled-shoe': 'high heels, high heel, heels, high heels shoes',
  lighthouse: 'lighthouse',
  'hot-air-balloon': 'hot air balloon, hot air balloons',
  shortcake: 'dessert, cake slice, pastry',
  'teacup-without-handle': 'tea, green tea, tea cup',
  'glass-of-milk': 'milk',
  'ear-of-corn': 'corn',
  'alarm-clock': 'clock, time management, deadline',
  'roll-of-paper': 'toilet paper, paper roll',
  'police-officer': 'police, policeman, officer',
  'person-surfing': 'surfing, surfer',
  'person-golfing': 'golf, golfing, golfer',
  'person-walking': 'walking, pedestrian',
  'person-climbing': 'climber, rock climbing, bouldering',
  't-shirt': 'shirt, tshirt',
  'womans-clothes': 'clothes, clothing',
  'house-with-garden': 'cottage, villa, garden, backyard',
  'desktop-computer': 'desktop, monitor, pc',
  camera: 'camera, photographer, photo studio; fotografie, fotógrafo',
  'chart-increasing':
    'growth, finance, investment, investing, sales, marketing, stock market, accounting, accountant, seo',
  'clapper-board': 'film, cinema, movie, filmmaking',
  books: 'library, bookstore, bookshop; biblioteca, bibliothek, 図書館',
  'closed-book': 'book, novel; libro, livro, buch, 本',
  'office-building':
    'office, offices, workplace, coworking, headquarters, company; büro, oficina, escritório, bureau, ufficio, オフィス, 会社',
  'construction-worker':
    'builder, construction, construction site, roofer, bricklayer, mason, tradesman, contractor; bauarbeiter',
  'couch-and-lamp':
    'living room, sofa, couch, furniture, home decor; wohnzimmer, salón, sala, salon, soggiorno, リビング',
  'fork-and-knife-with-plate':
    'restaurant, dinner, lunch, dining, dining room, catering, meal, bistro, diner; restaurante',
  cooking: 'kitchen, cooking, cuisine, recipe; küche, cocina, cozinha, cucina, 台所, キッチン',
  cook: 'chef, cook; koch, cocinero, cozinheiro',
  'crying-face': 'sadness, sad, grief; tristeza, traurig, triste, 悲しい',
  'credit-card': 'payment, checkout, shopping online',
  'delivery-truck': 'truck, delivery, courier, moving company, mover',
  'electric-plug': 'electrician, electricity, electrical; electricista, elektriker, eletricista',
  'face-screaming-in-fear': 'fear, scared',
  farmer: 'farmer, gardener, gardening, landscaping, agriculture; bauer, gärtner',
  'framed-picture': 'museum, exhibition',
  'graduation-cap': 'education, university, graduation, college; universidad, universität',
  'green-salad': 'salad, salad bowl, vegan, vegetarian, healthy food, diet, nutrition',
  'grinning-face': 'happy, happiness, smile, smiling; feliz, glücklich, alegría, felicidade, 幸せ',
  'hammer-and-wrench':
    'repair, maintenance, handyman, workshop, tools, renovation, craftsman, diy; handwerker',
  handshake: 'deal, agreement, trust',
  'health-worker':
    'doctor, physician, nurse, medicine, clinic, healthcare, medical, surgeon; arzt, ärztin, médico, krankenschwester, enfermera, 医者',
  'hot-beverage':
    'coffee, coffee cup, cup, mug, coffee shop, cafe, café, espresso, cappuccino, latte, barista; kaffee, 喫茶店, カフェ',
  house: 'home, real estate, realtor, property, mortgage, architecture; immobilien',
  key: 'locksmith, rental, airbnb',
  laptop:
    'laptop, computer, notebook computer, remote work, home office, web design, website, workspace; ordenador, portátil, パソコン',
  'light-bulb': 'idea, innovation, creativity, inspiration',
  locked: 'security, privacy, cybersecurity',
  'magnifying-glass-tilted-left': 'search, research, analysis',
  mechanic:
    'mechanic, plumber, plumbing, car repair, garage, auto repair, technician; klempner, fontanero, encanador, mecánico',
  'mobile-phone': 'phone, smartphone, mobile, app, cell phone, iphone; handy, teléfono, celular',
  'musical-notes': 'music, concert; musik, música',
  'office-worker':
    'manager, ceo, employee, businessman, businesswoman, business people, accountant at work, secretary, boss',
  'party-popper': 'party, celebration, festival',
  'person-getting-haircut':
    'hairdresser, hair salon, barber, barbershop, hairstylist, haircut; friseur, peluquería, peluquero, cabeleireiro, 美容師',
  'person-getting-massage': 'massage, beauty salon, wellness, physiotherapy, therapist, beautician',
  'person-in-lotus-position': 'yoga, meditation, mindfulness',
  'person-lifting-weights':
    'gym, fitness, workout, personal trainer, weightlifting; gimnasio, academia de ginástica, fitnessstudio',
  'person-running': 'running, runner, jogging, marathon, sport',
  pill: 'pharmacy, pharmacist; apotheke, farmacia, farmácia',
  'potted-plant': 'plant, houseplant, gardening tools, nursery',
  'red-heart': 'love, heart, romance, valentine; amor, liebe, coração, corazón, 愛',
  'relieved-face': 'calm, peace, peaceful, relax, relaxation, relaxed, relief',
  ring: 'jewelry, jeweler, jewellery, engagement',
  rocket: 'startup, launch, space',
  'ringed-planet': 'planet, saturn, astronomy, galaxy, universe, cosmos',
  'santa-claus': 'santa',
  'christmas-tree': 'christmas, xmas; weihnachten, navidad, natal, noël, クリスマス',
  scissors: 'tailor, scissors',
  'shopping-cart':
    'supermarket, grocery store, grocery, groceries, e commerce, ecommerce, retail; supermercado, supermarkt',
  'shopping-bags': 'shopping, fashion, boutique, mall, sale',
  stethoscope: 'vet, veterinarian, health; tierarzt, veterinario',
  student: 'student, students, studying, pupil',
  'astonished-face': 'surprise, surprised, amazed, shock; sorpresa, überraschung, 驚き',
  'angry-face': 'anger, angry; ira, wut, 怒り',
  'carpentry-saw':
    'carpenter, carpentry, woodwork, woodworking, joiner; schreiner, tischler, carpintero, carpinteiro, 大工',
  technologist:
    'programmer, developer, software, software engineer, coder, coding, programming, web developer, hacker, designer, freelancer, startup team; programador, entwickler, プログラマー',
  tooth: 'dentist, dental, dental clinic, orthodontist; zahnarzt, dentista, 歯医者, 歯科',
  train: 'train, railway; tren, trem, zug, 電車',
  'wine-glass': 'wine, winery, sommelier; vino, vinho, wein, ワイン',
  wedding: 'wedding, bride, marriage; boda, hochzeit, casamento, 結婚式',
  airplane: 'travel, flight, vacation, airline, travel agency, plane; reise, viaje, viagem',
  woman: 'woman, women, lady, girlfriend, businesswoman portrait; frau, mujer, mulher',
  man: 'man, men, guy; mann, hombre, homem',
  child: 'child, children, kid, kids, kindergarten, daycare; kinder, niños, crianças',
  baby: 'baby, newborn, babysitter',
  hotel: 'hotel, hostel, hospitality, resort',
  telephone: 'contact, call us, landline',
  envelope: 'email, mail, newsletter, letter',
  'deciduous-tree': 'tree, trees; árbol, árvore, baum, bäume, arbre, albero, 木',
  'red-apple': 'apple, apples; manzana, maçã, apfel, pomme, りんご',
  'running-shoe': 'shoe, shoes, sneaker, sneakers, footwear; zapatos, sapatos, schuhe, 靴',
  tulip: 'flower; flor, fleur, blume, fiore, 花',
  'leaf-fluttering-in-wind': 'leaf, leaves, foliage',
  cat: 'cat, kitten; 猫, ネコ',
  dog: 'dog; 犬, イヌ',
  'dog-face': 'puppy, dog face',
  'paw-prints': 'pets, pet shop, pet store',
  'globe-showing-europe-africa': 'world, global, earth, international, globe',
  'tropical-drink': 'cocktail, cocktails, cocktail bar',
  'beer-mug': 'beer, pub, brewery, bar; bier, cerveza, cerveja, ビール',
  'takeout-box': 'takeout, takeaway, food delivery',
  spaghetti: 'pasta, noodles',
  'steaming-bowl': 'ramen, soup; ラーメン',
  factory: 'factory, manufacturing, industry, industrial; fabrik',
  'factory-worker': 'welder, worker, labor, blacksmith',
  // Landscapes, which have no drawing of their own.
  lake: 'lake, lakes, pond, river, stream, creek, fjord, waterfall; see, bergsee, fluss, lago, laguna, río, rio, lac, rivière, 湖, 川, 滝',
  meadow:
    'meadow, meadows, field, fields, grass, countryside, hill, hills, pasture, prairie, park, valley; wiese, feld, prado, campo, champ, 草原, 公園',
  mountain:
    'mountain, mountains, hiking, climbing, alps, summit, peak; berge, berg, montaña, montanha, montagne, montagna, 山',
  'water-wave': 'sea, ocean, harbour, harbor, bay, pier, marina, waves; meer, mar, océano, mer, mare, 海',
  'beach-with-umbrella': 'beach, coast, seaside, shore; playa, praia, strand, plage, spiaggia, 海岸, ビーチ',
  'desert-island': 'island, tropical island; isla, ilha, insel',
  'evergreen-tree':
    'forest, woods, woodland, jungle, nature, landscape; bosque, floresta, wald, natur, forêt, bosco, 森',
  desert: 'desert, dunes, sahara; desierto, deserto, wüste, 砂漠',
  cityscape:
    'city, skyline, downtown, urban, skyscraper, metropolis, town, new york; ciudad, cidade, stadt, ville, città, 都市, 街',
  'night-with-stars':
    'night, night sky, starry night, stars, aurora; nacht, noche, noite, nuit, notte, 夜, 星空',
  snowflake: 'snow, snowy, snowing, winter, ice, frost; schnee, nieve, neve, neige, 雪, 冬',
  'golden-hour': 'golden hour, afternoon, golden light',
  sunset: 'sunset, sundown; sonnenuntergang, atardecer, pôr do sol, coucher de soleil, tramonto, 夕日',
  sunrise: 'sunrise, dawn, morning; sonnenaufgang, amanecer, nascer do sol, 朝',
  'cityscape-at-dusk': 'dusk, twilight, evening; abend',
  sun: 'sun, sunny, daylight, summer; sommer, verano, verão',
  spring: 'spring; frühling, primavera, printemps, 春',
  'maple-leaf': 'autumn, fall, autumn leaves; herbst, otoño, outono, automne, 秋',
  fog: 'fog, foggy, mist, misty, haze; nebel, niebla, névoa, brouillard, 霧',
  cloud: 'cloud, clouds, cloudy, overcast; wolken',
  'cloud-with-rain': 'rain, rainy, storm, stormy; regen, lluvia, chuva, pluie, 雨',
};

/** Where subjects are drawn, by the pattern of their name; the first one that matches. */
export const places: Readonly<Partial<Record<Place, RegExp>>> = {
  underwater:
    /fish$|^(octopus|squid|jellyfish|coral|dolphin|shark|whale|spouting-whale|seal|lobster|crab|shrimp|turtle|diving-mask)$/,
  winter:
    /^(penguin|polar-bear|ski|skis|skier|snowboarder|sled|snowman.*|ice-(hockey|skate)|ice|santa-claus|mrs-claus|mx-claus|christmas-tree|mammoth)$/,
  desert: /^(.*camel|cactus|scorpion|lizard)$/,
  forest:
    /^(bear|fox|owl|deer|moose|wolf|squirrel|chipmunk|badger|beaver|boar|camping|tent|wood|axe|mushroom|brown-mushroom|raccoon|gorilla|monkey|tiger|leopard|orangutan|panda)$/,
  sea: /^(sailboat|lighthouse|speedboat|motor-boat|ship|passenger-ship|ferry|canoe|anchor|person-(surfing|rowing-boat|swimming))$/,
  beach:
    /^(crab|palm-tree|umbrella-on-ground|coconut|tropical-drink|spiral-shell|thong-sandal|one-piece-swimsuit|volleyball)$/,
  sky: /^(airplane.*|hot-air-balloon|small-airplane|helicopter|parachute|kite|balloon|bird|eagle|dove|bat|flying-.*|rainbow|cloud.*|sun-.*|wind-face|wing|feather|suspension-railway|aerial-tramway|mountain-cableway)$/,
  stars:
    /^(rocket|satellite|ringed-planet|comet|astronaut|alien.*|telescope|shooting-star|ufo|.*moon.*|witch|ghost)$/,
  city: /^(automobile|sport-utility-vehicle|taxi|bus|minibus|tram.*|train|metro|light-rail|monorail|.*truck|.*lorry|ambulance|fire-engine|police-(car|officer)|motor.*|auto-rickshaw|kick-scooter|bicycle|person-biking|racing-car|trolleybus|office-building|bank|hotel|hospital|post-office|department-store|convenience-store|traffic.*|bus-stop|station|detective|firefighter)$/,
  meadow:
    /^(house.*|hut|school|church|castle|mosque|.*temple|tractor|farmer|locomotive|.*train|bullet-train|railway-car|fuel-pump|factory|barn|deciduous-tree|national-park|stadium|soccer-ball|person-(running|walking|golfing|mountain-biking)|basket|ferris-wheel|roller-coaster|circus-tent|fountain|bench|playground-slide|wedding)$/,
  studio: /^(bouquet|potted-plant|paw-prints|rosette|microbe|pig-nose)$/,
};

/** Drawings that are left out by their kind, and are needed all the same: people of several looks. */
export const needed = new Set(
  (
    'woman-medium-dark woman-light man-medium-dark man-light man-beard woman-technologist tokyo-tower speech-balloon ' +
    'woman-office-worker woman-office-worker-medium-dark man-office-worker-medium-light man-office-worker-dark'
  ).split(' '),
);

/** Drawings of our own, in a square of 32 units. */
export const own: Readonly<Record<string, string>> = {
  desk: '<path fill="#c98d55" d="M1 22h30v1.6H1z"/><path fill="#9a6436" d="M1 23.6h30V32H1z"/><path fill="#7f5029" d="M3 25.4h12v5H3zm14 0h12v5H17z"/>',
  'solar-panel':
    '<path fill="#8a8f98" d="M15 20h2v10h-2z"/><path fill="#d9dee6" d="M7 5h23l-4 17H2z"/><path fill="#1d5fae" d="m8 6 6 0-.8 4.6H7zm7.2 0h6l-.5 4.6h-6zm7.2 0h6l-1.2 4.6h-5.4zM6.7 12h6.2l-.8 4.6H5.6zm7.4 0h6.2l-.5 4.6h-6.5zm7.4 0h5.6l-1.2 4.6h-5zM5.3 17.8h6.6l-.6 3.2H4.5zm7.8 0h6.5l-.4 3.2h-6.7zm7.8 0h5l-.8 3.2h-4.7z"/>',
  'wind-turbine':
    '<path fill="#c8cdd6" d="M15.3 12h1.4l.9 18h-3.2z"/><path fill="#f2f4f8" d="M16 11 14.6 1.5c.6-.9 2.2-.9 2.8 0zM16.6 11.3l8.9 3.7c.3 1-.4 2.3-1.5 2.4zM15.4 11.3 6.5 15c-.3 1 .4 2.3 1.5 2.4z"/><circle cx="16" cy="11.5" r="1.5" fill="#9aa2ae"/>',
  drill:
    '<path fill="#9aa2ae" d="M24 9.5h7v1.6h-7z"/><path fill="#5a6270" d="M20 7.5h4v5.6h-4z"/><path fill="#f5a623" d="M5 5.5h15v9H5c-1.7 0-2.5-1.5-2.5-4.5S3.3 5.5 5 5.5z"/><path fill="#d48806" d="M6 14.5h6.5l-2 11H4.5z"/><path fill="#3b4250" d="M3 25h9v5H3zm9.5-10.5h2.6l-1 3.5h-2.2z"/>',
  'sports-car':
    '<path fill="#e0242b" d="M1 20c0-2 1-3.2 3.5-3.6l5-.8c2.5-2.8 5-4.2 9-4.2 3.8 0 6 1.4 8.3 4.3 2.6.5 4.2 1.8 4.2 4.3v2.5H1z"/><path fill="#8fd3f4" d="M11.5 15.7c1.7-1.9 3.3-2.7 5.5-2.8v2.8zm7-2.8c2.3.1 4 .9 5.5 2.8h-5.5z"/><path fill="#ffd24a" d="M1.5 18.2h3v1.4h-3z"/><circle cx="8" cy="22.5" r="3.2" fill="#22262e"/><circle cx="8" cy="22.5" r="1.4" fill="#cfd4dc"/><circle cx="24.5" cy="22.5" r="3.2" fill="#22262e"/><circle cx="24.5" cy="22.5" r="1.4" fill="#cfd4dc"/>',
  'clock-tower':
    '<path fill="#b98f4f" d="M12 10h8v21h-8z"/><path fill="#96713a" d="M13.2 18h1.2v12h-1.2zm4.4 0h1.2v12h-1.2z"/><path fill="#4f6b62" d="m16 0 1 3 3 4h-8l3-4z"/><path fill="#d0a866" d="M11.2 7h9.6v9h-9.6z"/><circle cx="16" cy="11.5" r="3.4" fill="#fffdf2"/><path fill="none" stroke="#3b4250" stroke-width=".7" d="M16 9v2.5l1.8 1"/>',
  'espresso-machine':
    '<path fill="#c9ced6" d="M5 3h22v8H5z"/><path fill="#8a8f98" d="M20 11h7v15h-7z"/><path fill="#3b4250" d="M10 11h6v2.5h-6zM4 26h24v4H4z"/><path fill="#d0662f" d="M7 5.5h3v3H7z"/><path fill="#fff" d="M9 19h8v3.5c0 2-1.2 3-4 3s-4-1-4-3z"/><path fill="#7a4a24" d="M12.3 13.5h1.4V19h-1.4zM10 19h6v1.2h-6z"/>',
  headset:
    '<path fill="none" stroke="#3b4250" stroke-width="1.5" d="M9 9.5C8.8-1 23.2-1 23 9.5"/><rect width="2.8" height="5" x="7.6" y="7.5" fill="#22262e" rx="1.2"/><rect width="2.8" height="5" x="21.6" y="7.5" fill="#22262e" rx="1.2"/><path fill="none" stroke="#3b4250" d="M9 12c.2 2.6 2 3.4 4.6 3.3"/><circle cx="14" cy="15.2" r="1.1" fill="#22262e"/>',
  path: '<path fill="#d3ba8e" d="M6 32c2-5 9.5-7 9-11-.4-2.6-3-3.6-.8-6h1.6c-1.2 2.4 2.6 3.4 3.4 6 1 4 3.8 6.4 6.8 11z"/>',
  lighthouse:
    '<path fill="#f4f1ea" d="m12.5 9-2 20h11l-2-20z"/><path fill="#d8403a" d="m12 14-.5 5h9l-.5-5zm-1 10-.5 5h11l-.5-5z"/><path fill="#3b4250" d="M11.5 7.5h9V9h-9zM16 1l4 3.5h-8z"/><path fill="#ffd24a" d="M13 4.5h6v3h-6z"/><path fill="#8a8f98" d="M6 29h20l3 3H3z"/>',
  'hot-air-balloon':
    '<path fill="#e8483f" d="M16 1c6.5 0 10.5 4.5 10.5 10 0 5-4.5 8.5-7.5 12h-6c-3-3.5-7.5-7-7.5-12C5.5 5.5 9.5 1 16 1z"/><path fill="#ffd24a" d="M16 1c2.8 0 4.6 4.5 4.6 10 0 5-1.6 8.5-2.6 12h-4c-1-3.5-2.6-7-2.6-12C11.4 5.5 13.2 1 16 1z"/><path stroke="#7f5029" stroke-width=".6" d="m13.5 23 .5 3.5m4.5-3.5-.5 3.5"/><path fill="#9a6436" d="M13 26h6v4.5h-6z"/>',
  pool: '<path fill="#efe6d6" d="M0 14h32v18H0z"/><path fill="#25b4e6" d="M6 16h20l6 13H0z"/><path fill="#8fe0f7" d="M8 19h7v.6H8zm9 2.5h8v.7h-8zM6 25h9v.8H6z"/>',
};
