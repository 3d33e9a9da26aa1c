import { dictionary } from '@zxcvbn-ts/language-common'

// Lower case, without numbers or signs behind, from lists of leaked passwords, French ones first.
const words = `
motdepasse monmotdepasse nouveaumotdepasse motdepasses lemotdepasse mdp passe azerty azertyui azertyuio azertyuiop azertyu azer
qsdfghjkl qsdfghjklm wxcvbn aqwzsx aqwzsxedc aqzsedrf azeqsd azeqsdwxc azertyqsdfgh
bonjour bonsoir salut coucou bienvenue bienvenu aurevoir bonjourtoutlemonde merci soleil lune etoile etoiles arcenciel
doudou loulou chouchou loulouttte nounours nounou bebe bebedoudou titi toto toutou tata tonton papa maman mamie papi papamaman
mamanpapa papounet mamounette chaton minou minette chat chien chienchien cheval chevaux licorne dauphin papillon coccinelle
grenouille lapin lapinou tigre lion panthere elephant pingouin canard poussin tortue souris marmotte
amour amours monamour jetaime jetaimetrop jetaimemonamour jtm monange ange angel coeur moncoeur moncheri cheri cherie macherie
princesse prince reine roi champion championne vacances liberte egalite fraternite libertegalitefraternite
france vivelafrance allezlesbleus lafrance francais francaise republique paris marseille allezlom olympique olympiquedemarseille
lyon lille toulouse stadetoulousain nantes bordeaux strasbourg rennes montpellier nice grenoble bretagne corse alsace normandie
parissaintgermain psg om asse saintetienne monaco
football footballeur rugby basket basketball handball tennis petanque velo moto voiture camion musique guitare piano danse danseuse
chocolat fraise framboise cerise vanille caramel nutella fromage camembert baguette croissant pastis cafe biere champagne
printemps automne hiver ete janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
lundi mardi mercredi jeudi vendredi samedi dimanche weekend
nicolas alexandre alexandra sebastien stephanie christophe christine catherine isabelle veronique frederic valerie nathalie
sandrine laurent philippe thierry patrick pascal olivier julien thomas maxime antoine benjamin anthony romain guillaume mathieu
matthieu vincent florian quentin clement camille caroline celine audrey aurelie charlotte chloe elodie emilie laetitia laura manon
marie marine marion mathilde melanie melissa pauline sabrina sarah sophie virginie jeanpierre jeanmichel jeanmarc jeanclaude
jeanpaul jeanfrancois jeanluc jeanjacques jeanlouis jeanphilippe mariechristine marieclaude mariefrance
comptoirdemo bibliotheque mabibliotheque bibliothecaire mediatheque mamediatheque ludotheque discotheque artotheque biblio comptoir lecteur
lecture lectrice livre livres bouquin bouquins librairie archives benevole benevoles association comite comitedentreprise entreprise
mairie ecole college lycee universite administrateur administration administratrice utilisateur identifiant connexion ouverture
ouvretoi sesameouvretoi securite secretaire direction directeur directrice ordinateur portable internet informatique telephone
imprimante serveur logiciel stagiaire invite visiteur demonstration demo essai exemple changemoi changezmoi achanger
provisoire temporaire defaut pardefaut aucun rien secret confidentiel tresconfidentiel
password passwords passw passwd password password mypassword thepassword newpassword oldpassword passwordpassword
passphrase passcode changeme changemenow changethis changeit letmein letmeinnow letmeinplease welcome welcometo
default defaultpassword temporary temppassword temporarypassword userpassword adminpassword rootpassword administrator
superadmin superuser sysadmin admin adminadmin administration root user username usernamepassword guest guestguest testtest test
tester testing testpassword testuser demopassword example
qwerty qwertyui qwertyuio qwertyuiop qwertz qwertzuiop qwertyqwerty qwertyasdf asdf asdfgh asdfghjkl asdfasdf zxcvbn zxcvbnm
asdfghjklzxcvbnm qazwsx qazwsxedc qazwsxedcrfv qweasd qweasdzxc qwerasdf qwerasdfzxcv zaqxsw zaqwsx zaqxswcde
iloveyou iloveyousomuch iloveyouforever iloveyoubaby iloveyoutoo iloveu ilovehim iloveher ilovejesus ilovegod iloveme ilovemyself
ilovemom ilovemymom ilovemyfamily ihateyou fuckyou fuckyoubitch motherfucker whatever whateveryouwant nothing something everything
sunshine moonlight starlight butterfly butterflies strawberry blueberry watermelon chocolate cinnamon peanutbutter cheesecake
princess littleprincess babygirl babyboy sweetheart sweetie beautiful gorgeous angelina forever foreverlove together happiness
friendship bestfriend bestfriends blessed blessing jesuschrist jesussaves godisgood godislove thankyoulord christian
hallelujah monkey dragon shadow master mustang ferrari lamborghini mercedes porsche harleydavidson corvette yamaha
superman batman spiderman wonderwoman ironman captainamerica avengers starwars lukeskywalker darthvader skywalker chewbacca startrek
harrypotter hogwarts dumbledore gryffindor hermione gandalf lordoftherings pokemon pikachu charizard dragonball dragonballz naruto
narutouzumaki onepiece minecraft fortnite callofduty counterstrike leagueoflegends worldofwarcraft warcraft starcraft playstation
nintendo supermario assassinscreed finalfantasy theelderscrolls skyrim zelda sephiroth masterchief
baseball softball volleyball skateboard snowboard swimming wrestling manchester manchesterunited liverpool chelsea arsenal
barcelona fcbarcelona realmadrid juventus cristiano cristianoronaldo ronaldo messi zidane mbappe neymar
metallica nirvana slipknot ironmaiden linkinpark greenday blinkone evanescence onedirection justinbieber britneyspears michaeljackson
eminem rihanna beyonce backstreetboys ledzeppelin pinkfloyd rollingstones systemofadown ramstein rammstein
california newyork newyorkcity washington america american australia canada london england deutschland schalke passwort
hallo hallowelt schatz ichliebedich contrasena contrasenha teamo teamomucho tequiero mariposa estrella senha ciao amore
computer computers microsoft windows macintosh facebook instagram snapchat google gmail yahoo youtube twitter linkedin whatsapp
samsung samsunggalaxy iphone android internetexplorer firefox chrome netflix spotify
trustno trustnoone nopassword nopasswd mypasswordis passwordis thisismypassword thisisapassword iforgot forgotpassword rememberme
dontforget donttellanyone opensesame abracadabra correcthorsebatterystaple helloworld hello hellohello hellokitty hithere
goodmorning goodluck godblessyou happybirthday merrychristmas summer summertime winter wintertime spring autumn january february
march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
firebird thunder thunderbird lightning hurricane midnight rainbow diamond platinum emerald silver golden phoenix wolverine tigger
winniethepooh mickeymouse minniemouse donaldduck scoobydoo spongebob tinkerbell snowwhite cinderella
elizabeth christopher alexander alexandria michelle michael jonathan jennifer jessica stephanie victoria veronica samantha katherine
andrea anthony brandon charlie daniel danielle george jasmine jordan joseph joshua matthew nicholas nicole patricia rebecca robert
william
`

const commonWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter(Boolean))

/** zxcvbn's list by @zxcvbn-ts/language-common (MIT, © Dan Wheeler and Dropbox, © zxcvbn-ts). */
export const leakedPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'])

const shortest = 10

const disguises: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
]
const steps = new Set(
  rows.flatMap((row) =>
    Array.from(row)
      .slice(1)
      .flatMap((letter, index) => [`${row[index]}${letter}`, `${letter}${row[index]}`]),
  ),
)

/** The French sentence that refuses a password, or null: only its length and its rank among guesses count. */
export function faultOfPassword(password: string, username: string): string | null {
  const text = password.normalize('NFC').toLowerCase()
  if (Array.from(text).length < shortest)
    return `Le mot de passe doit compter au moins ${shortest} caractères.`
  if (isCommon(text)) return 'Ce mot de passe est trop courant\u202f: choisissez-en un autre.'
  if (isPattern(text)) {
    return 'Ce mot de passe est une suite ou une répétition facile à deviner\u202f: choisissez-en un autre.'
  }
  const name = username.normalize('NFC').toLowerCase()
  if (name && text.includes(name) && text.replaceAll(name, '').length < 8) {
    return 'Le mot de passe ne doit pas reprendre le nom d’utilisateur.'
  }
  return null
}

function isCommon(text: string): boolean {
  const plain = text.normalize('NFD').replaceAll(/\p{Mn}/gu, '')
  return [plain, undisguised(plain)].some((form) => {
    const core = form.replaceAll(/^[^a-z]+|[^a-z]+$/g, '')
    const letters = form.replaceAll(/[^a-z]/g, '')
    if ([form, core, undisguised(core), letters].some((word) => commonWords.has(word))) return true
    const inside = form.replaceAll(/^[^a-z\d]+|[^a-z\d]+$/g, '')
    const begun = inside.replace(/(?:(?:19|20)\d\d|1234?5?6?7?8?9?0?)$/, '')
    if ([form, inside, begun, undisguised(begun)].some((word) => leakedPasswords.has(word))) return true
    // A long number holds common short words by chance.
    if (letters.length * 2 >= text.length && leakedPasswords.has(letters)) return true
    return core.length >= 4 && (leakedPasswords.has(core) || leakedPasswords.has(undisguised(core)))
  })
}

const undisguised = (text: string) => text.replaceAll(/[013457@$!]/g, (sign) => disguises[sign] ?? sign)

function isPattern(text: string): boolean {
  const letters = Array.from(text)
  if (new Set(letters).size < 4) return true
  // A text made of one repeated piece is found in itself doubled, before its end.
  if (`${text}${text}`.indexOf(text, 1) < text.length) return true
  const stepped = letters
    .slice(1)
    .filter((letter, index) => letter === letters[index] || steps.has(`${letters[index]}${letter}`))
  return stepped.length >= (letters.length - 1) * 0.75
}
