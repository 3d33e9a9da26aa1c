import { comparableName } from './comparable-name.ts'
import { type ImportSubject, importFieldsOf } from './import-fields.ts'

/** Names of columns by field, as files of libraries have them, in French and English; comparable (`comparableName`). */
const headers: Readonly<Record<ImportSubject, Readonly<Record<string, string>>>> = {
  references: {
    name: 'titre | title | titre propre | titre complet | intitule | name | nom',
    code: 'isbn | isbn13 | isbn 13 | isbn10 | isbn 10 | isbn ean | ean isbn | ean | ean13 | ean 13 | gencod | issn | isbn issn | code | code isbn | code ean | n isbn',
    'tags.author':
      'auteur | auteurs | auteur s | auteur principal | author | authors | main author | createur | creator',
    'tags.performer': 'interprete | interpretes | artiste | performer | artist',
    'tags.publisher':
      'editeur | editeurs | editeur s | maison d edition | publisher | publisher name | publishercode | edition | marque | fabricant',
    'tags.year':
      'annee | annee d edition | annee de publication | annee de parution | annee edition | annee de sortie | year | publication year | publicationyear | copyrightdate | original publication year',
    'tags.collection': 'collection | serie | series | series title | seriestitle',
    description: 'description | contenu | abstract',
    short_description: 'description courte | short description',
    category: 'categorie | category | genre | rubrique',
    medium:
      'support | medium | type de document | type document | type de support | document type | item type | itemtype | itype | typdoc | type de doc',
    price: 'prix | price | tarif | prix de remplacement | replacement price | replacementprice',
    deposit_check: 'cheque de caution | caution | deposit check',
    audience: 'audience | public vise | public destinataire',
    keywords: 'mots cles | mot cle | mots clefs | keywords | keyword | tags | motscles',
    'reference_data.subhead': 'sous titre | soustitre | complement du titre | subtitle | subhead',
    'reference_data.title_inside': 'titre interieur | titre original | title inside | original title',
    'reference_data.volume': 'tome | volume | numero | n de tome | numero de volume | vol | enumchron',
    'reference_data.publication_date':
      'date de publication | date de parution | publication date | date d edition',
    'reference_data.language': 'langue | langues | language | language code',
    'reference_data.level': 'niveau | public | level | age',
    'reference_data.section': 'section',
    'reference_data.subcollection': 'sous collection | subcollection',
    'reference_data.book_number':
      'cote | cote du document | cote exemplaire | callnumber | call number | item call number | itemcallnumber | shelf mark | shelfmark | book number',
    'reference_data.book_number_dewey':
      'dewey | cote dewey | indice dewey | indexation | ddc | book number dewey',
    'reference_data.subject': 'sujet | sujets | matiere | matieres | vedette matiere | subject | subjects',
    'reference_data.linked_authors':
      'auteurs secondaires | autres auteurs | co auteurs | illustrateur | traducteur | linked authors | other authors',
    'reference_data.person_in_charge': 'responsable | mention de responsabilite | person in charge',
    'reference_data.linked_ref': 'references liees | linked ref',
    'reference_data.origin': 'origine | provenance | origin',
    'reference_data.provider': 'fournisseur | libraire | provider | vendor | booksellerid',
    'reference_data.buying_price': 'prix d achat | prix achat | buying price | purchase price',
    'reference_data.documentary_background': 'fonds | fonds documentaire | documentary background',
    'reference_data.summary': 'resume | summary',
    'copy.bar_code':
      'code barres | code barre | codebarre | codebarres | cb | cab | codes barres | barcode | bar code | item barcode | itembarcode | no exemplaire | n exemplaire | numero d exemplaire | code exemplaire | numero d inventaire | n d inventaire | n inventaire | inventaire',
    'copy.site':
      'site | bibliotheque | etablissement | annexe | library | branch | home branch | homebranch | home library | holding branch | holdingbranch',
    'copy.location':
      'emplacement | localisation | rayon | rayonnage | location | shelving location | permanent location',
    'copy.state': 'etat | etat de l exemplaire | condition',
    'copy.type': 'type d exemplaire | type exemplaire',
    'copy.buy_date':
      'date d achat | date achat | date d acquisition | date acquisition | date acquired | dateaccessioned | date d entree | buy date',
    'copy.price': 'prix de l exemplaire | prix exemplaire | copy price | item price',
  },
  readers: {
    matricule:
      'matricule | numero | n adherent | numero d adherent | numero adherent | no adherent | id lecteur | identifiant | cardnumber | card number | borrowernumber | patron id | userid | employee id',
    lastname: 'nom | nom de famille | nom usuel | nom d usage | surname | last name | lastname | family name',
    firstname: 'prenom | prenoms | first name | firstname | given name',
    reader_id:
      'n lecteur | no lecteur | numero lecteur | numero de lecteur | n de lecteur | n carte | n de carte | numero de carte | numero carte | carte | code barres | code barre | code barres lecteur | barcode | bar code | reader id',
    kind: 'nature | kind | personne ou collectivite',
    birth_year:
      'annee de naissance | annee naissance | date de naissance | date naissance | ne le | naissance | birth year | date of birth | dateofbirth | birthdate | dob',
    contract_type:
      'type de contrat | contrat | abonnement | type d abonnement | categorie | categorie de lecteur | categorie lecteur | contract | contract type | category | categorycode | patron category',
    beneficiary_status: 'statut | status | beneficiary status',
    dossiers: 'dossiers | dossier',
    agency:
      'site | agence | bibliotheque | site de rattachement | annexe | branch | branchcode | library | agency | home library',
    exit_date:
      'date de sortie | sortie | fin d abonnement | date de fin | date d expiration | expiration | expire le | fin de validite | date de fin de validite | date de validite | date limite de validite | valable jusqu au | valide jusqu au | date de fin d abonnement | abonnement jusqu au | date d echeance de l abonnement | echeance de l abonnement | fin d adhesion | date de fin d adhesion | adhesion jusqu au | fin d inscription | date de fin d inscription | fin de cotisation | date de fin de cotisation | fin de contrat | date de fin de contrat | fin des droits | date de fin des droits | date d echeance | echeance | expiry date | dateexpiry | date expiry | expiration date | end date | exit date',
    email:
      'courriel | email | e mail | mail | adresse mail | adresse e mail | adresse electronique | mel | email address',
    phone:
      'telephone | tel | telephone 1 | tel 1 | mobile | portable | gsm | tel portable | telephone portable | telephone mobile | phone | phone number',
    address: 'adresse | adresse postale | rue | voie | adresse 1 | address | street',
    commune: 'commune | ville | localite | city | town',
    message: 'message | note | notes | remarque | remarques | commentaire | borrowernotes | opac note',
  },
  loans: {
    bar_code:
      'code barres | code barre | codebarre | cb | code barres exemplaire | exemplaire | n exemplaire | numero d exemplaire | barcode | bar code | item barcode | itembarcode | copy',
    matricule:
      'matricule | lecteur | emprunteur | n adherent | numero d adherent | adherent | cardnumber | card number | borrower | borrowernumber | patron | patron id',
    reader_id:
      'n lecteur | no lecteur | numero lecteur | numero de lecteur | n de carte | n carte | numero de carte | carte | reader id',
    start_date:
      'date de pret | pret | prete le | emprunte le | date d emprunt | debut du pret | date de debut du pret | issuedate | issue date | checkout date | checked out on | loan date | start date',
    end_date:
      'retour prevu | date de retour prevue | date de retour prevu | date prevue de retour | retour prevu le | date de retour | a rendre le | a rendre avant le | retour | echeance | date d echeance | fin du pret | date de fin du pret | date limite de retour | date due | duedate | due date | expected return date | end date',
    comment: 'commentaire | note | remarque | comment',
  },
}

/** Files leave these words out as they like: « date fin abonnement » is « date de fin d’abonnement ». */
const smallWords = new Set('d de du des l la le les au of the'.split(' '))

/** By its other words, or by all of them where it has no others. */
const wordsOfName = (name: string): string => {
  const comparable = comparableName(name)
  const words = comparable.split(' ').filter((word) => !smallWords.has(word))
  return words.join(' ') || comparable
}

/** The field that a column of this name stands for, by its label, its name on the wire or what files call it. */
export const fieldOfName = (subject: ImportSubject, name: string): string | undefined =>
  known[subject].get(wordsOfName(name))

const known = Object.fromEntries(
  Object.entries(importFieldsOf).map(([subject, fields]) => {
    const names = new Map<string, string>()
    for (const { name, label } of fields) {
      const all = [label, name, ...(headers[subject as ImportSubject][name]?.split(' | ') ?? [])].map(
        wordsOfName,
      )
      // Of two fields the first one keeps the name.
      for (const one of all) if (!names.has(one)) names.set(one, name)
    }
    return [subject, names]
  }),
) as unknown as Readonly<Record<ImportSubject, ReadonlyMap<string, string>>>
