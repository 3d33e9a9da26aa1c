import { readdirSync, readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import * as counter from '../../src/domain/sentences/counter.ts'
import * as everywhere from '../../src/domain/sentences/everywhere.ts'
import * as imports from '../../src/domain/sentences/imports.ts'
import * as lists from '../../src/domain/sentences/lists.ts'
import * as loans from '../../src/domain/sentences/loans.ts'
import * as mail from '../../src/domain/sentences/mail.ts'
import * as readers from '../../src/domain/sentences/readers.ts'
import * as reservations from '../../src/domain/sentences/reservations.ts'
import * as session from '../../src/domain/sentences/session.ts'

// Files 1 and 2 of the specification, sections 2, 5 and 8: what people read, letter by letter.
const specified = [
  "Le bénéficiaire n'est pas éligible.",
  'Cet exemplaire est sujet à réservations',
  "êtes vous sûr de vouloir l'ajouter au prêt ?",
  'Retards introuvables.',
  '2 email(s) seront envoyés. Voulez vous continuer ?',
  '1 email(s) sera envoyé. Voulez vous continuer ?',
  'Prêts en cours introuvables.',
  'Chaque bénéficiaire ayant des prêts en cours recevra un email récapitulatif. Voulez vous continuer ?',
  "Une erreur s'est produite lors du chargement du bénéficiaire.",
  'Une erreur est survenue, saisie rapide indisponible pour cet exemplaire.',
  "Saisie rapide indisponible, veuillez vérifier le statut de l'exemplaire.",
  "Une erreur est survenue. Vérifiez que l'email du bénéficiaire est valide.",
  "Une erreur est survenue lors de l'enregistrement de l'image.",
  "Une erreur s'est produite, le fichier n'a pas pu être uploadé.",
  "Une erreur est survenue lors de l'enregistrement des paramètres.",
  'Paramètres enregistrés avec succès.',
  "Une erreur s'est produite lors de la sauvegarde de vos filtres.",
  "Une erreur s'est produite.",
  'Article sorti avec succès',
  'Articles sortis avec succès.',
  'Article(s) retourné(s) avec succès.',
  'Le prêt a bien été mis à jour.',
  'Filtres sauvegardés.',
  'Votre demande a bien été prise en compte.',
  "L'email a bien été envoyé.",
  'Chargement en cours...',
  'Vos modifications ont bien été prises en compte.',
  'Erreur de connexion. Vérifiez vos identifiants et réessayez.',
  'Identifiants incorrects',
  'Erreur de connexion. Veuillez réessayer',
  'Connexion réussie',
  'Un email de réinitialisation de mot de passe à été envoyé',
  'Utilisateur inconnu. Merci de vérifier votre adresse électronique',
  'Le mot de passe a bien été mis à jour',
  'ok',
  'Veuillez sélectionner un profil',
  "Une erreur s'est produite lors de l'enregistrement.",
  'Numéro de lecteur enregistré avec succès.',
  "Une erreur s'est produite, l'import n'a pas pu être effectué.",
  'Import effectué avec succès.',
  "Une erreur s'est produite, veuillez réessayer plus tard.",
  'Réservation ajoutée avec succès.',
  'Réservation modifiée avec succès.',
]
// Said by screens that are still to come: whoever writes one finds it here.
const toCome = [
  'Veuillez sélectionner un profil',
  "Une erreur est survenue lors de l'enregistrement des paramètres.",
  'Paramètres enregistrés avec succès.',
  "Une erreur s'est produite, le fichier n'a pas pu être uploadé.",
]

const said = [counter, everywhere, imports, lists, loans, mail, readers, reservations, session]
  .flatMap((subject) => Object.values(subject))
  .flatMap((sentence) => (typeof sentence === 'string' ? [sentence] : [sentence(1), sentence(2)]))

describe('the sentences of the specification', () => {
  it('are kept letter by letter', () => {
    expect(said.toSorted()).toEqual(specified.toSorted())
  })

  it('are written in no other typography anywhere', () => {
    const known = [...specified, ...toCome]
    const otherwise = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => {
        const text = readFileSync(`src/${name}`, 'utf8')
        const plain = text
          .replaceAll('’', "'")
          .replaceAll('…', '...')
          .replaceAll(/\\u202f|\\u00a0|&#8239;|\u202f|\u00a0/g, ' ')
        return known
          .filter((sentence) => countOf(plain, sentence) !== countOf(text, sentence))
          .map((sentence) => `${name}: ${sentence}`)
      })
    expect(otherwise).toEqual([])
  })
})

const countOf = (text: string, sentence: string) => text.split(sentence).length
