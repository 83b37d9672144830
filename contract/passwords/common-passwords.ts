/**
 * Passwords at the top of leaked lists, without the digits and signs that people put around them: `Password123!` is
 * `password`. In lower case; letters that are written as digits are read as letters.
 */
const WORDS = `
  aaliyah abigail abracadabra access administrator adminadmin admin adrian airborne alejandra alejandro alexander
  alexandra alexandria alexis alicia amanda amerika america american anderson andrea andreas andrew angel angela angelica
  angelina anthony antonio apple arsenal arsenalfc asdfasdf asdf ashley assassin asshole august austin autumn awesome
  babyboy babygirl badboy bailey bananas banana barbara barcelona baseball basketball batman beautiful beckham benjamin
  bestfriend bigdaddy birthday biteme blackberry blackjack blink blessed blueberry bonjour boomer boston brandon brittany
  brooklyn brother brothers bubbles buddy bulldogs butterfly butterflies california calvin cameron cantona carlos carolina
  caroline cassandra catherine champion changeme changemenow charlie charlotte cheerleader chelsea chelseafc cherry
  chicago chicken children chocolate christ christian christina christine christmas christopher cinderella claudia
  cleopatra computer computers connect cookie cookies cooper corvette courtney cowboys creative cristiano cristina crystal
  daniel daniela danielle database david december default defaultpassword destiny diamond diamonds dickhead dinosaur
  diosesamor dolphin dolphins dominic dontforget dragon dragonball dragons eagles eclipse einstein elephant elizabeth
  emmanuel eminem enterprise everton facebook falcons familia family fashion february fernando ferrari fireball firebird
  flamingo florida flower flowers football footballer forever forgot forgotpassword francis francisco freedom friday
  friend friends friendship fuckoff fuckyou fuckyouall gabriel gabriela gabrielle galaxy gandalf gangster gateway genesis
  georgia george german germany giovanni girlfriend godisgood godislove google goldfish grandma greatest guardian
  guest guitar hallowelt hallo hammer hannah happiness happy harley harleydavidson heather hello helloworld hellokitty
  hermosa hockey hollywood honey horses hottie hunter iceman idontknow ihateyou iloveben ilovegod ilovehim
  iloveme ilovemyself ilovemom ilovemymom iloveyou iloveyouforever iloveyousomuch iloveu incorrect independence infinity
  inferno internet isabella iverson jackass jackson january jasmine jeffrey jennifer jeremiah jessica jesus jesuschrist
  jesusislord jesuslovesme jonathan jordan jordanair joseph joshua juliana june juventus kathleen katherine kimberly
  kingkong kitten knight knights kristina lakers lauren legend leonardo letmein letmeinnow letmeinplease liberty lightning
  linkedin liverpool liverpoolfc london lorenzo lovelove lovely loveme lover loverboy loveyou lucky madison madrid maggie
  magnolia manager manchester manchesterunited margaret maria marina marseille martin master masterkey matrix matthew
  maverick maxwell melanie melissa mercedes merlin mexico michael michaeljordan michelle mickey mickeymouse microsoft
  midnight miguel million minecraft mississippi monday money monkey monkeys monster montana moonlight mother motorola
  mountain mustang mynameis mypassword mypass myspace naruto narutouzumaki natalia natasha nathaniel newpassword newyork
  newyorkcity nicholas nicole nirvana nintendo november nothing october olivia operator orange pakistan paradise
  parola passpass passphrase passwd password passwords passwort patricia patrick peaches peanut penelope pepper
  philadelphia phoenix pikachu pokemon polska portugal pretty princess princesa private qazwsx qwerty qwertyqwerty
  rachel raiders rainbow rainbows ranger rangers rebecca rebelde redskins remember renegade richard robert rockstar rockyou
  ronaldo rooney root rootroot roottoor rosebud runescape samantha samsung santiago sebastian secret secretpassword secrets
  security september serenity service shadow shannon skateboard skywalker slipknot smokey snickers snowball soccer softball
  something sophia spider spiderman spongebob starwars stephanie stephen steelers stupid summer sunflower sunshine superman
  supernova superstar support sweetheart sweetie sweety swordfish sydney system tarzan teacher temporary tennis teresa
  test tester testing testtest thomas thunder thursday tiffany tigers tinkerbell tinkle titanic together tomorrow toor
  tottenham toyota trustme trustno trustnoone tuesday tweety twilight united universe university unknown username vanessa
  veronica victoria victory viktoria volleyball warcraft warrior warriors washington wednesday welcome welcomehome whatever
  william wilson windows winner winston winter wizard wolverine wonderful wonderland worldcup xavier yamaha yankees
  yellow yourmom zachary zaqxsw zidane`

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/))

/** Sequences of a keyboard, the alphabet and the digits, in either direction. */
export const SEQUENCES: readonly string[] = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'zaq1xsw2cde3vfr4bgt5nhy6mju7',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8i9j0',
  '1a2b3c4d5e6f7g8h9i0j',
].flatMap((walk) => [walk, Array.from(walk).reverse().join('')])
