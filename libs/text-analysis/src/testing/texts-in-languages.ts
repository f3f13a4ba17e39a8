/** Describes a sample text in one language. */
export interface TextInLanguage {
  /** BCP 47 code of the language. */
  readonly language: string;
  /** Unicode name of the text's script. */
  readonly script: string;
  readonly text: string;
}

/**
 * Contains the beginning of article 1 of the Universal Declaration of Human Rights (public domain), keyed by script and
 * then by language. Some texts continue with other sentences.
 */
const TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Latin: {
    af: 'Alle menslike wesens word vry, met gelyke waardigheid en regte, gebore.',
    az: 'Bütün insanlar ləyaqət və hüquqlarına görə azad və bərabər doğulurlar.',
    ca: 'Tots els éssers humans neixen lliures i iguals en dignitat i en drets.',
    cs: 'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv.',
    da: 'Alle mennesker er født frie og lige i værdighed og rettigheder.',
    de: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren.',
    en: 'All human beings are born free and equal in dignity and rights.',
    es: 'Todos los seres humanos nacen libres e iguales en dignidad y derechos.',
    et: 'Kõik inimesed sünnivad vabadena ja võrdsetena oma väärikuselt ja õigustelt.',
    eu: 'Gizon-emakume guztiak aske jaiotzen dira, duintasun eta eskubide berberak dituztela.',
    fi: 'Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan.',
    fr: 'Tous les êtres humains naissent libres et égaux en dignité et en droits.',
    ga: 'Saolaítear gach duine den chine daonna saor agus comhionann i ndínit agus i gcearta.',
    hr: 'Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima.',
    hu: 'Minden emberi lény szabadon születik és egyenlő méltósága és joga van.',
    id: 'Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama.',
    is: 'Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum.',
    it: 'Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti.',
    lt: 'Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis.',
    lv: 'Visi cilvēki piedzimst brīvi un vienlīdzīgi savā pašcieņā un tiesībās.',
    nl: 'Alle mensen worden vrij en gelijk in waardigheid en rechten geboren.',
    no: 'Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter.',
    pl: 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.',
    pt: 'Todos os seres humanos nascem livres e iguais em dignidade e em direitos.',
    ro: 'Toate ființele umane se nasc libere și egale în demnitate și în drepturi.',
    sk: 'Všetci ľudia sa rodia slobodní a sebe rovní, čo sa týka ich dôstojnosti a práv.',
    sl: 'Vsi ljudje se rodijo svobodni in imajo enako dostojanstvo in enake pravice.',
    sq: 'Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet dhe në të drejta.',
    sv: 'Alla människor är födda fria och lika i värde och rättigheter.',
    sw: 'Watu wote wamezaliwa huru, hadhi na haki zao ni sawa.',
    tl: 'Ang lahat ng tao ay isinilang na malaya at pantay-pantay sa karangalan at mga karapatan.',
    tr: 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.',
    vi: 'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền.',
    yo: 'Gbogbo ènìyàn ni a bí ní òmìnira; iyì àti ẹ̀tọ́ kọ̀ọ̀kan sì dọ́gba.',
    zu: 'Bonke abantu bazalwa bekhululekile belingana ngesithunzi nangamalungelo.',
  },
  Cyrillic: {
    be: 'Усе людзі нараджаюцца свабоднымі і роўнымі ў сваёй годнасці і правах.',
    bg: 'Всички хора се раждат свободни и равни по достойнство и права. Всеки ученик е с подарък за учениците.',
    kk: 'Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді. Ол атпен келді.',
    ky: 'Бардык адамдар өз беделинде жана укуктарында эркин жана тең укуктуу болуп жаралат.',
    mk: 'Сите човечки суштества се раѓаат слободни и еднакви по достоинство и права. Секој е роден слободен.',
    mn: 'Хүн бүр төрж мэндлэхэд эрх чөлөөтэй, адилхан нэр төртэй, ижил эрхтэй байдаг.',
    ru: 'Все люди рождаются свободными и равными в своём достоинстве и правах. Каждый рожден свободным.',
    sr: 'Сва људска бића рађају се слободна и једнака у достојанству и правима. Сваки човек је рођен слободан.',
    tg: 'Тамоми одамон озод ва аз лиҳози шарафу ҳуқуқ баробар ба дунё меоянд.',
    tt: 'Барлык кешеләр дә азат һәм үз абруйлары һәм хокуклары ягыннан тиң булып туалар.',
    uk: 'Всі люди народжуються вільними і рівними у своїй гідності та правах. Чути голоси дітей.',
  },
  Greek: { el: 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.' },
  Armenian: { hy: 'Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։' },
  Georgian: { ka: 'ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.' },
  Hebrew: {
    he: 'כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם.',
    yi: 'יעדער מענטש ווערט געבוירן פֿרײַ און גלײַך אין כּבֿוד און רעכט.',
  },
  Arabic: {
    ar: 'يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.',
    fa: 'تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند.',
    ps: 'د بشر ټول افراد آزاد نړۍ ته راځي او د حيثيت او حقوقو له پلوه سره برابر دي.',
    ur: 'تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔',
  },
  Devanagari: {
    hi: 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।',
    mr: 'सर्व मानवी व्यक्ती जन्मतः स्वतंत्र आहेत व त्यांना समान प्रतिष्ठा व समान अधिकार आहेत.',
    ne: 'सबै व्यक्तिहरू जन्मजात स्वतन्त्र हुन् ती सबैको समान अधिकार र महत्त्व छ।',
  },
  Bengali: { bn: 'সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।' },
  Gurmukhi: { pa: 'ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਆਪਣੀ ਮਹਿਮਾ, ਸ਼ਾਨ ਅਤੇ ਹੱਕਾਂ ਦੇ ਪੱਖੋਂ ਜਨਮ ਤੋਂ ਹੀ ਆਜ਼ਾਦ ਹੈ।' },
  Gujarati: { gu: 'પ્રતિષ્ઠા અને અધિકારોની દૃષ્ટિએ સર્વ માનવો જન્મથી સ્વતંત્ર અને સમાન હોય છે.' },
  Oriya: { or: 'ସବୁ ମନୁଷ୍ୟ ଜନ୍ମକାଳରୁ ସ୍ୱାଧୀନ ଏବଂ ମର୍ଯ୍ୟାଦା ଓ ଅଧିକାରରେ ସମାନ।' },
  Tamil: { ta: 'மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; மதிப்பிலும் உரிமைகளிலும் சமமானவர்கள்.' },
  Telugu: { te: 'ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును నగుదురు.' },
  Kannada: { kn: 'ಎಲ್ಲಾ ಮಾನವರೂ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಜನಿಸಿದ್ದಾರೆ ಹಾಗೂ ಘನತೆ ಮತ್ತು ಹಕ್ಕುಗಳಲ್ಲಿ ಸಮಾನರಾಗಿದ್ದಾರೆ.' },
  Malayalam: { ml: 'മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചിട്ടുള്ളവരാണ്.' },
  Sinhala: { si: 'සියලු මනුෂ්‍යයෝ නිදහස්ව උපත ලබා ඇත. ගරුත්වයෙන් හා අයිතිවාසිකම්වලින් සමාන වෙති.' },
  Thai: { th: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ' },
  Lao: { lo: 'ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ ສິດທິ ເສລີພາບ ແລະ ຄວາມສະເໝີພາບເທົ່າທຽມກັນ.' },
  Khmer: { km: 'មនុស្សទាំងអស់ កើតមកមានសេរីភាព និងសមភាព ក្នុងសេចក្ដីថ្លៃថ្នូរ និងសិទ្ធិ។' },
  Myanmar: { my: 'လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း၊ တူညီလွတ်လပ်သော အခွင့်အရေးများဖြင့် မွေးဖွားလာသူများ ဖြစ်သည်။' },
  Tibetan: { bo: 'འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ཆེ་མཐོངས་དང་ཐོབ་ཐངགི་རང་དབང་འདྲ་མཉམ་དུ་ཡོད།' },
  Ethiopic: {
    am: 'የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።',
    ti: 'ብመንጽር ክብርን መሰልን ኩሎም ሰባት እንትውለዱ ነጻን ማዕሪን እዮም።',
  },
  Hangul: { ko: '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.' },
  Han: {
    'zh-Hans': '人人生而自由，在尊严和权利上一律平等。',
    'zh-Hant': '人人生而自由，在尊嚴和權利上一律平等。',
  },
  Hiragana: { ja: 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。' },
  Mongolian: { 'mn-Mong': 'ᠬᠦᠮᠦᠨ ᠪᠦᠷ ᠲᠥᠷᠥᠵᠦ ᠮᠡᠨᠳᠡᠯᠡᠬᠦ ᠡᠷᠬᠡ ᠴᠢᠯᠥᠭᠡ ᠲᠡᠢ' },
  Thaana: { dv: 'ހުރިހާ އިންސާނުން ވެސް އުފަންވަނީ މިނިވަންކަމާއެކު ހަމަހަމަ ދަރަޖައެއްގައެވެ' },
  Cherokee: { chr: 'ᏂᎦᏓ ᎠᏂᏴᏫ ᏂᎨᎫᏓᎸᎾ ᎠᎴ ᎤᏂᏠᏱ ᎤᎾᏕᎿ ᏚᏳᎧᏛ ᎨᏒᎢ' },
  Tifinagh: { zgh: 'ⴰⵔ ⴷ ⵜⵜⵍⴰⵍⴰⵏ ⵎⵉⴷⴷⵏ ⴳⴰⵏ ⵉⵍⴻⵍⵍⵉⵜⵏ ⵎⴳⴰⴷⴷⴰⵏ ⵖ ⵡⴰⴷⴷⵓⵔ' },
};

/** Lists sample texts in more than 70 languages and 20 scripts. */
export const TEXTS_IN_LANGUAGES: readonly TextInLanguage[] = Object.entries(TEXTS).flatMap(([script, texts]) =>
  Object.entries(texts).map(([language, text]) => ({ language, script, text })),
);

const words = new Intl.Segmenter('und', { granularity: 'word' });

/** Returns the distinct words of a text, without changes. */
export function splitIntoWords(text: string): readonly string[] {
  const found = Array.from(words.segment(text)).filter(({ isWordLike }) => isWordLike === true);
  return [...new Set(found.map(({ segment }) => segment))];
}
