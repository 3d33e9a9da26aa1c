import type { ReaderKind } from '../../domain/age-bands.ts'
import { busyReader, knownReader } from './known-codes.ts'
import { readerNumber } from './library-numbers.ts'
import { type Random, seededRandom } from './random.ts'

// Common names of every origin met in a French town; any real person of that name is chance.

const words = (text: string) => text.trim().split(/\s*,\s*/)

const firstnames = words(`
  Adam, Adèle, Agathe, Aïcha, Alice, Aliénor, Amélie, Amine, Ana, André, Anne-Laure, Anne-Sophie, Antoine, Apolline, Arthur, Aurélien,
  Aya, Baptiste, Béatrice, Benoît, Bérénice, Bernadette, Brigitte, Bruno, Cécile, Céline, Chloé, Christophe, Claire, Clément, Clémence,
  Corentin, Daphné, Denis, Didier, Djibril, Élodie, Éloïse, Émile, Émilie, Emma, Éric, Estelle, Étienne, Eugénie, Fabrice, Fanny, Fatou,
  Félix, Florence, François, Françoise, Frédéric, Gaël, Gaëlle, Gaspard, Gérard, Gisèle, Grégoire, Guillaume, Gwenaël, Hélène, Héloïse,
  Hervé, Hugo, Idriss, Inès, Irène, Isaac, Jacqueline, Jade, Jean-Baptiste, Jean-Luc, Jeanne, Jérémy, Jérôme, Joëlle, Joséphine,
  Juliette, Karim, Kévin, Laëtitia, Laurence, Léa, Léo, Léonie, Léopold, Lilou, Lina, Loïc, Loïse, Louise, Luc, Lucas, Lucie, Maëlle,
  Maël, Maïa, Malik, Manon, Marc-Antoine, Margaux, Marie-Claude, Marie-Hélène, Marion, Mathéo, Mathilde, Maxence, Mehdi, Mélanie,
  Mélissa, Michèle, Mireille, Mohamed, Monique, Naël, Nadège, Nathalie, Nicolas, Noé, Noémie, Nora, Océane, Odile, Ophélie, Oscar,
  Pascal, Paul, Pauline, Philippe, Pierre-Yves, Quentin, Rachid, Raphaël, Régine, Rémi, René, Robin, Romane, Rose, Sabrina, Samuel, Sarah,
  Sébastien, Ségolène, Simone, Sofia, Solène, Stéphane, Suzanne, Sylvie, Théo, Thérèse, Thibault, Thomas, Timothée, Titouan,
  Ulysse, Valérie, Véronique, Victoire, Vincent, Violette, Yacine, Yaël, Yannick, Yasmine, Yves, Zacharie, Zélie`)

const lastnames = words(`
  Abadie, Alvarez, Amiel, André, Arnaud, Aubert, Azéma, Bachelet, Baptiste, Barbier, Barthès, Baudoin, Bégué, Belkacem, Ben Salah,
  Benoît, Bernard, Bertrand, Besson, Blanc, Bonnet, Bouchard, Boudjemaa, Boyer, Brun, Cabrol, Calvet, Camara, Carrère, Castéra, Castaing,
  Cazaux, Cazeneuve, Chaumeil, Chevalier, Clément, Colin, Costes, Coulibaly, Cros, Da Silva, Daumas, De La Tour, Delmas, Denis,
  Deschamps, Diallo, Diop, Dos Santos, Dubois, Dubreuil-Marty, Duclos, Dumas, Dupuis, Durand, Dutilh, Escande, Espinasse, Estève, Fabre,
  Faure, Fernandez, Ferrand, Fontaine, Fournier, Galy, Garcia, Gaillard, Garrigues, Gauthier, Gayraud, Gérard, Girard, Gomez, Gonzalès,
  Grangé, Guérin, Guibert, Haddad, Hernandez, Huet, Izard, Jacquet, Joly, Jourdan, Julien, Kaddour, Kouassi, L’Hermite, Labat, Laborde,
  Lacaze, Lacoste-Bédat, Lafforgue, Lagarde, Lambert, Larrieu, Lasserre, Laurens, Le Bihan, Le Goff, Lebrun, Leclercq, Lefèvre, Lemaître,
  Leroux, Lévêque, Lopez, Loubère, Maës, Maillard, Malaterre, Marchand, Marestaing, Marquès, Martin, Martinez, Marty, Masson, Mathieu,
  Mauries, Mbaye, Mercier, Meunier, Michaud, Molinié, Monnier, Montagné, Moreau, Morel, Moulin, Muñoz, N’Diaye, Navarro, Nguyen, Noël,
  Nogaro, Ortega, Oudin, Pagès, Paul-Émile, Pelissier, Pérès, Perez, Perrin, Petit, Peyre, Picard, Poncet, Pons, Pradère, Prévost, Puech,
  Pujol, Raynaud, Renard, Rey, Ribes, Rigal, Rivière, Rodrigues, Roques, Roussel, Roux, Ruffié, Saint-Aubin, Saint-Éloi, Salvan, Sanchez,
  Sarda, Sauvage, Ségura, Serres, Sicard, Simon, Soulé, Taïeb, Tessier, Tixier, Traoré, Tran, Vasseur, Verdier, Vergnes, Vidal-Sérié,
  Vignaux, Villemur, Yilmaz, Zerrouki`)

const streets = words(`
  rue des Tilleuls, rue du Vieux-Puits, allée des Mésanges, avenue de la Brique-Rouge, place du Marché-aux-Herbes, impasse des Glycines,
  rue de l’Écluse, quai des Bateliers, chemin du Lavoir, rue des Teinturiers, boulevard des Platanes, rue de la Halle-aux-Grains`)

const quarters = words(
  `Saint-Cyprien, Les Minimes, Rangueil, Croix-Daurade, Les Carmes, Lalande, Montaudran, Purpan`,
)

const jobs = words(`
  Cadre, Architecte, Secrétaire, Fonctionnaire, Journaliste, Libraire, Chimiste, Interprète, Kinésithérapeute, Dentiste, Fleuriste, Guide,
  Graphiste, À la retraite, Sans profession`)

const messages = [
  'Carte à refaire\u202f: le code est effacé.',
  'A oublié un parapluie, gardé à l’accueil.',
  'Justificatif de domicile à demander.',
  'Préfère les livres en gros caractères.',
  'Nouvelle adresse à noter.',
  'Un livre abîmé à remplacer\u202f: en attente de sa réponse.',
  'Portage à domicile le jeudi.',
  'Les prêts des enfants sont rendus par la grand-mère.',
  'Malvoyante\u202f: proposer les livres audio.',
  'Photo à faire signer pour l’atelier.',
]

const collectivities = words(`
  École des Acacias, École du Canal, École Jeanne-Barret, École des Minimes, Collège du Lac, Crèche Les Moineaux, Crèche Pomme d’Api,
  Centre de loisirs du Parc, Maison de retraite Les Tilleuls, Foyer Saint-Cyprien, Association Lire en ville, Lycée des Coteaux`)

/** With their postcodes, by the status of who lives there. */
const communes: Record<string, readonly (readonly [name: string, postcode: string])[]> = {
  Commune: [['Toulouse', '31000']],
  Métropole: [
    ['Blagnac', '31700'],
    ['Colomiers', '31770'],
    ['Tournefeuille', '31170'],
    ['Balma', '31130'],
    ['L’Union', '31240'],
  ],
  'Hors métropole': [
    ['Muret', '31600'],
    ['Grenade', '31330'],
    ['Fronton', '31620'],
  ],
}

export type Relative = {
  id: number
  beneficiary: number
  lastname: string
  firstname: string
  reader_id: string | null
}

export type Reader = {
  id: number
  matricule: string
  lastname: string
  firstname: string
  kind: ReaderKind
  birth_year: number | null
  commune: string
  contract_type: string
  beneficiary_status: string
  site: 0 | 1
  reader_id: string
  email: string | null
  phone: string | null
  address: string
  message: string
  displayed: { name: string; value: string; tab: 'personal' | 'professional' }[]
  relatives: Relative[]
  /** Ranks of open days (open-days.ts), from the first loan to the end of the inscription. */
  joined: number
  exit: number | null
  activity: number
}

export const contracts = [
  'Plein tarif',
  'Tarif réduit',
  'Étudiant',
  'Moins de 18 ans',
  'Collectivité',
] as const
export const statuses = ['Commune', 'Métropole', 'Hors métropole'] as const

const jobsOf: Record<string, string> = { Étudiant: 'Études supérieures', 'Moins de 18 ans': 'Élève' }

const count = 600
const relativesOf = 120
const expired = 40
const withMessage = 18

export function inventReaders(random: Random, firstRank: number): Reader[] {
  const others = random.shuffle(Array.from({ length: count - 2 }, (_, at) => at + 3))
  const haveRelatives = new Set(others.slice(0, relativesOf))
  const haveLeft = new Set(others.slice(relativesOf, relativesOf + expired))
  const haveMessage = new Set(random.shuffle(others).slice(0, withMessage))
  const names = new Set<string>([`${knownReader.firstname} ${knownReader.lastname}`])
  let relativeCount = 0

  const invent = (id: number): Reader => {
    const isNamed = id === 1 ? knownReader : id === 2 ? busyReader : null
    const { firstname, lastname } = isNamed ?? newName(random, names)
    const joined =
      isNamed || !random.chance(0.25) ? firstRank - random.between(10, 900) : random.between(firstRank, -60)
    const children = haveRelatives.has(id)
      ? random.weighted([
          [1, 5],
          [2, 4],
          [3, 1],
        ] as const)
      : 0
    const relatives = Array.from({ length: children }, () => {
      relativeCount += 1
      return {
        id: relativeCount,
        beneficiary: id,
        // Others have the other parent's name.
        lastname: random.chance(0.8) ? lastname : random.pick(lastnames),
        firstname: random.pick(firstnames),
        reader_id: random.chance(0.9) ? readerNumber(count + relativeCount) : null,
      }
    })
    const contract_type = random.weighted([
      [contracts[0], 50],
      [contracts[1], 18],
      [contracts[2], 16],
      [contracts[3], children > 0 ? 0 : 13],
      [contracts[4], children > 0 ? 0 : 3],
    ])
    const beneficiary_status = random.weighted([
      [statuses[0], 70],
      [statuses[1], 24],
      [statuses[2], 6],
    ])
    const life = inventLife(id, contract_type, beneficiary_status)
    // Powers may differ in their last digit between engines of JavaScript, products do not.
    const share = random.next()
    return {
      id,
      matricule: String(id).padStart(6, '0'),
      lastname: life.name ?? lastname,
      firstname: life.name === null ? firstname : '',
      contract_type,
      ...life.facts,
      beneficiary_status,
      site: isNamed || random.chance(0.66) ? 0 : 1,
      reader_id: readerNumber(id),
      email: !isNamed && random.chance(0.08) ? null : emailOf(firstname, lastname, id),
      // The French regulator sets these numbers aside for fiction.
      phone: random.chance(0.12) ? null : `06 39 98 ${twoDigits(random)} ${twoDigits(random)}`,
      address: `${random.between(1, 140)} ${random.pick(streets)}, ${life.postcode} ${life.facts.commune}`,
      message: haveMessage.has(id) ? random.pick(messages) : '',
      displayed: [
        { name: 'Quartier', value: random.pick(quarters), tab: 'personal' },
        { name: 'Profession', value: jobsOf[contract_type] ?? random.pick(jobs), tab: 'professional' },
      ],
      relatives,
      joined,
      exit: haveLeft.has(id)
        ? Math.max(joined + 20, random.between(-240, -1))
        : isNamed || random.chance(0.12)
          ? null
          : random.between(2, 258),
      activity: isNamed ? 0 : 0.15 + 3 * share * share * share + children * 0.6,
    }
  }
  return Array.from({ length: count }, (_, at) => invent(at + 1))
}

const collectivity = contracts[4]

/** By chance of its own, so that the rest of the library stays what it was. */
function inventLife(id: number, contract_type: string, status: string) {
  const random = seededRandom(9_000_000 + id)
  const [commune, postcode] = random.pick(communes[status] ?? communes['Commune'] ?? [])
  const [from, to] = yearsOf[contract_type] ?? [1938, 2003]
  const isCollectivity = contract_type === collectivity
  return {
    facts: {
      kind: isCollectivity ? ('collectivity' as const) : ('person' as const),
      birth_year: isCollectivity || random.chance(0.04) ? null : random.between(from, to),
      commune,
    },
    name: isCollectivity ? random.pick(collectivities) : null,
    postcode,
  }
}

const yearsOf: Record<string, readonly [number, number]> = {
  Étudiant: [2000, 2007],
  'Moins de 18 ans': [2009, 2021],
}

function newName(random: Random, taken: Set<string>): { firstname: string; lastname: string } {
  for (;;) {
    const firstname = random.pick(firstnames)
    const lastname = random.pick(lastnames)
    const name = `${firstname} ${lastname}`
    if (taken.has(name)) continue
    taken.add(name)
    return { firstname, lastname }
  }
}

const twoDigits = (random: Random) => String(random.between(0, 99)).padStart(2, '0')

const plain = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z-]/g, '')

const emailOf = (firstname: string, lastname: string, id: number) =>
  `${plain(firstname)}.${plain(lastname)}${id > 2 && id % 7 === 0 ? id : ''}@exemple.fr`
