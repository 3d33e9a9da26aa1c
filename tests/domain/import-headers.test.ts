import { describe, expect, it } from 'vitest'

import { type ImportSubject, importFieldsOf, importSubjects } from '../../src/domain/import-fields.ts'
import { comparableName } from '../../src/domain/comparable-name.ts'
import { fieldOfName } from '../../src/domain/import-headers.ts'

describe('comparableName', () => {
  it.each([
    ['N° d’exemplaire', 'n d exemplaire'],
    ['ÉDITEUR', 'editeur'],
    ['Numéro d’édition', 'numero d edition'],
    ['Auteur(s)', 'auteur s'],
    ['  Code--barres / CB ', 'code barres cb'],
    ['date_due', 'date due'],
    ['ISBN-13', 'isbn 13'],
    ['Œuvre', 'œuvre'],
    ['e\u0301tat', 'etat'],
    ['***', ''],
    ['', ''],
  ])('makes of %j %j', (name, comparable) => expect(comparableName(name)).toBe(comparable))
})

describe('fieldOfName', () => {
  it.each<[ImportSubject, string, string | undefined]>([
    ['references', 'TITRE PROPRE', 'name'],
    ['references', 'Nom', 'name'],
    ['references', 'gencod', 'code'],
    ['references', 'Maison d’édition', 'tags.publisher'],
    ['references', 'Code-barres', 'copy.bar_code'],
    ['references', 'N° d’inventaire', 'copy.bar_code'],
    ['references', 'copy.price', 'copy.price'],
    ['references', 'Exemplaire : prix', 'copy.price'],
    ['references', 'reference_data.subhead', 'reference_data.subhead'],
    ['references', 'dateaccessioned', 'copy.buy_date'],
    ['references', 'Prénom', undefined],
    ['readers', 'Nom', 'lastname'],
    ['readers', 'Code-barres', 'reader_id'],
    ['readers', 'Né le', 'birth_year'],
    ['readers', 'Catégorie', 'contract_type'],
    ['readers', 'Titre', undefined],
    ['readers', 'date fin abonnement', 'exit_date'],
    ['readers', 'Date de fin d’abonnement', 'exit_date'],
    ['readers', 'DATE_FIN_ADHESION', 'exit_date'],
    ['readers', 'Valable jusqu’au', 'exit_date'],
    ['readers', 'Fin de la cotisation', 'exit_date'],
    ['readers', 'Date naissance', 'birth_year'],
    ['readers', 'Type abonnement', 'contract_type'],
    // What is thrown away is not offered.
    ['readers', 'Solde', undefined],
    ['readers', 'wallet_amount', undefined],
    ['readers', 'de la', undefined],
    ['references', 'Année édition', 'tags.year'],
    ['references', 'prix achat', 'reference_data.buying_price'],
    ['loans', 'Code-barres', 'bar_code'],
    ['loans', 'Emprunteur', 'matricule'],
    ['loans', 'date due', 'end_date'],
    ['loans', 'À rendre le', 'end_date'],
    ['loans', 'Date prévue retour', 'end_date'],
    // Names of a column, not of the table that holds them.
    ['loans', 'constructor', undefined],
    ['loans', 'date', undefined],
    ['loans', '***', undefined],
    ['loans', '', undefined],
  ])('finds in a file of %s for « %s » %s', (subject, name, field) => {
    expect(fieldOfName(subject, name)).toBe(field)
  })

  it.each(importSubjects)('knows each field of %s by its label and by its name on the wire', (subject) => {
    for (const { name, label } of importFieldsOf[subject]) {
      expect([fieldOfName(subject, label), fieldOfName(subject, name)]).toEqual([name, name])
    }
  })
})
