import { describe, expect, it } from 'vitest'

import {
  closureList,
  keptList,
  mailVariables,
  movedList,
  wordsOfPiece,
} from '../../src/domain/mail-variables.ts'

describe('wordsOfPiece', () => {
  it.each([
    ['loans', '{{ count }}', 'nombre de prêts'],
    ['loans', '{{count}}', 'nombre de prêts'],
    ['loans', '{{- count -}}', 'nombre de prêts'],
    ['loans', '{{ today }}', 'date du jour'],
    ['loans', '{{ beneficiary.firstname | upcase }}', 'prénom du lecteur'],
    ['loans', '{% for loan in loans %}{{ loan.end_date }}{% endfor %}', 'liste des prêts'],
    ['loans', '{%- for one in loans %}x{% endfor %}', 'liste des prêts'],
    ['loans', '{%for  one  in  loans%}x{% endfor %}', 'liste des prêts'],
    ['loans', '{% for one in others %}x{% endfor %}', 'formule'],
    ['loans', '{{ loan.end_date }}', 'à rendre le'],
    ['loans', '{{ end_date }}', 'à rendre le'],
    ['loans', '{{ loan.days_late }}', 'jours de retard'],
    ['loans', '{{ a.loan.end_date }}', 'a.loan.end_date'],
    ['loans', '{{ reservation.amount }}', 'reservation.amount'],
    // A word of every object.
    ['loans', '{{ constructor }}', 'constructor'],
    ['reservation', '{{ reservation.amount }}', 'montant estimé'],
    ['reservation', '{{ comment }}', 'motif'],
    ['closing', closureList, 'jours de fermeture'],
    ['closing', movedList, 'prêts déplacés'],
    ['closing', keptList, 'réservations mises de côté'],
    ['link', '<a href="{{ link }}">{{ link }}</a>', 'lien'],
    ['loans', '{% assign x = 1 %}', 'formule'],
    ['loans', '{% ifchanged %}x', 'formule'],
    ['loans', 'x {% if comment %}', 'formule'],
    ['loans', 'x {{ count }}', 'formule'],
    ['loans', '{% if comment %}{{ comment }}{% endif %}', 'si besoin'],
    ['loans', '{%- if comment %} <b> </b>{% endif %}', 'si besoin'],
    ['loans', '{%if comment %}<p>Motif :\n  de {{ comment }}</p>{% endif %}', 'si besoin\u202f: Motif : de'],
    ['loans', '{% if a\nb %}Un{% else %}deux{% endif %}', 'si besoin\u202f: Un deux'],
    ['loans', `{% if a %}${'m'.repeat(41)}{% endif %}`, `si besoin\u202f: ${'m'.repeat(40)}`],
  ] as const)('in %s calls %j « %s »', (about, code, words) => {
    expect(wordsOfPiece(code, about)).toBe(words)
  })

  it('calls by its words each thing that is told of a loan', () => {
    const told = [
      'reference_name',
      'copy_barcode',
      'medium',
      'category',
      'relative',
      'start_date',
      'end_date',
    ]
    const words = told.map((name) => wordsOfPiece(`{{ loan.${name} }}`, 'loans'))
    expect(words).toEqual([
      'titre',
      'code de l’exemplaire',
      'support',
      'catégorie',
      'proche',
      'prêté le',
      'à rendre le',
    ])
  })

  it('calls each variable that an editor offers as it offers it', () => {
    for (const about of ['loans', 'reservation', 'closing', 'link', 'invitation'] as const) {
      const offered = mailVariables[about]
      expect(offered.map(({ code }) => wordsOfPiece(code, about))).toEqual(offered.map(({ words }) => words))
      expect(new Set(offered.map(({ code }) => code)).size).toBe(offered.length)
      expect(offered.every(({ words, code }) => words !== '' && /\{[{%] \w/.test(code))).toBe(true)
      expect(offered.map(({ words }) => words)).toContain('bibliothèque')
    }
  })
})
