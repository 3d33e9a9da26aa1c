import { sql } from 'kysely'

import { tagNames } from '../../contract/catalogue.ts'
import { referenceDataLabels } from '../../domain/reference-data.ts'
import {
  type ArchiveTable,
  day,
  deletedAt,
  flag,
  instant,
  money,
  number,
  ownNumber,
  part,
  text,
  derived,
} from './archive-table.ts'

const tagLabels: Record<(typeof tagNames)[number], string> = {
  author: 'Auteur',
  performer: 'Interprète',
  publisher: 'Éditeur',
  year: 'Année',
  collection: 'Collection',
}

const reference = number('Référence', 'reference', 'Le numéro de la référence (references.csv).')
const title = derived(
  'Titre',
  sql`select r.name from "references" r where r.id = t.reference`,
  'Pour la lecture\u202f: le titre de cette référence.',
)

/** Works, copies, and what describes them. */
export const catalogueTables: readonly ArchiveTable[] = [
  {
    file: 'references.csv',
    table: 'references',
    about: 'Les références du catalogue, avec tous leurs champs\u202f; notices.mrc les dit aussi en UNIMARC.',
    order: ['id'],
    columns: [
      ownNumber,
      text('Code', 'code', 'Son ISBN, EAN, ISSN, ou un code à soi.'),
      text('Titre', 'name', 'Son titre.'),
      ...tagNames.map((name) => part(tagLabels[name], ['tags', name], 'Ce champ de la référence.')),
      ...Object.entries(referenceDataLabels).map(([name, label]) =>
        part(label, ['reference_data', name], 'Ce champ de la référence.'),
      ),
      text('Description', 'description', 'Sa description.'),
      text('Description courte', 'short_description', 'Sa description en quelques mots.'),
      number('Catégorie', 'category', 'Le numéro de sa catégorie (categories.csv).'),
      derived(
        'Nom de la catégorie',
        sql`select c.name from categories c where c.id = t.category`,
        'Pour la lecture.',
      ),
      number('Support', 'medium', 'Le numéro de son support (supports.csv).'),
      derived('Nom du support', sql`select m.name from media m where m.id = t.medium`, 'Pour la lecture.'),
      derived(
        'Mots-clés',
        sql`select string_agg(k.name, ' | ' order by k.id) from reference_keywords rk
          join keywords k on k.id = rk.keyword where rk.reference = t.id`,
        'Pour la lecture\u202f; mots-cles-des-references.csv les dit un par un.',
      ),
      money('Prix', 'price', 'Le prix d’un prêt ou d’une vente, en euros.'),
      text('Type', 'type', 'Location ou Vente.'),
      flag('Chèque de caution', 'deposit_check', 'Oui\u202f: un chèque est demandé au prêt.'),
      day('Nouveauté jusqu’au', 'new_at', 'Son dernier jour parmi les nouveautés.'),
      text('Public', 'audience', 'adult (adulte) ou youth (jeunesse).'),
      derived(
        'Image',
        sql`case when t.image_version is not null and t.deleted_at is null then 'images/' || t.id || '.webp' end`,
        'Son image, dans cette archive.',
      ),
      derived(
        'Notice d’origine',
        sql`case when t.deleted_at is null and exists (select from reference_notices n where n.reference = t.id) then 'oui' else 'non' end`,
        'Oui\u202f: elle vient d’une notice UNIMARC, dont notices.mrc garde aussi les autres zones.',
      ),
      instant('Créée le', 'created_at', 'Sa création.'),
      deletedAt,
    ],
  },
  {
    file: 'mots-cles-des-references.csv',
    table: 'reference_keywords',
    about: 'Les mots-clés de chaque référence.',
    order: ['reference', 'keyword'],
    columns: [
      reference,
      title,
      number('Mot-clé', 'keyword', 'Le numéro du mot-clé (mots-cles.csv).'),
      derived(
        'Nom du mot-clé',
        sql`select k.name from keywords k where k.id = t.keyword`,
        'Pour la lecture.',
      ),
    ],
  },
  {
    file: 'listes-des-references.csv',
    table: 'reference_list_values',
    about: 'Les auteurs, éditeurs et autres valeurs de liste de chaque référence, dans leur ordre.',
    order: ['reference', 'position', 'list_value'],
    columns: [
      reference,
      title,
      number('Valeur', 'list_value', 'Le numéro de la valeur (listes.csv).'),
      derived(
        'Nom de la valeur',
        sql`select v.name from list_values v where v.id = t.list_value`,
        'Pour la lecture.',
      ),
      number('Rang', 'position', 'Son rang dans la référence.'),
    ],
  },
  {
    file: 'exemplaires.csv',
    table: 'copies',
    about: 'Les exemplaires\u202f; les zones 995 de notices.mrc disent ceux qui ne sont pas supprimés.',
    order: ['id'],
    columns: [
      ownNumber,
      text('Code-barres', 'bar_code', 'Son code-barres.'),
      reference,
      title,
      number('Site', 'site', 'Le numéro de son site (sites.csv).'),
      derived('Nom du site', sql`select s.name from sites s where s.id = t.site`, 'Pour la lecture.'),
      number('Emplacement', 'location', 'Le numéro de son emplacement (emplacements.csv).'),
      derived(
        'Nom de l’emplacement',
        sql`select l.label from locations l where l.id = t.location`,
        'Pour la lecture.',
      ),
      text(
        'État',
        'state',
        'VERY_GOOD (très bon), GOOD (bon), DAMAGED (endommagé) ou UNUSABLE (inutilisable).',
      ),
      text('Disponibilité', 'status', 'Disponible, En Location, En transfert ou Non Disponible.'),
      text('Type', 'type', 'Location ou Vente.'),
      money('Prix', 'price', 'Vide\u202f: celui de la référence.'),
      day('Acquis le', 'buy_date', 'Le jour de l’achat.'),
      number('Longueur d’un cycle', 'cycle_value', 'Pour un support prêté par cycles.'),
      text('Unité du cycle', 'cycle_type', 'DAY, WEEK ou MONTH.'),
      number('Envoyé de', 'sent_from', 'En transfert\u202f: le site d’où il vient (sites.csv).'),
      instant('Envoyé le', 'sent_at', 'En transfert\u202f: quand il est parti.'),
      day('Retiré le', 'withdrawn_on', 'Quand il a quitté le fonds.'),
      text('Motif du retrait', 'withdrawal_reason', 'Pourquoi.'),
      instant('Créé le', 'created_at', 'Son enregistrement.'),
      deletedAt,
    ],
  },
]
