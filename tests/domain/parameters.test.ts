import { describe, expect, it } from 'vitest'

import {
  counterParameters,
  deliveredParameters,
  parameterCodes,
  parameterFault,
  unknownTimeZone,
} from '../../src/domain/parameters.ts'

describe('parameterFault', () => {
  it.each([
    ['multisite', ['0', '1'], ['', '2', '01', '10', 'true', ' 1'], 'Cette valeur doit être 0 ou 1.'],
    [
      'counter_copy_wait_seconds',
      ['10', '60', '3600', '0010'],
      ['9', '3601', '0', '', '60.5', '-60', 'x60', '60x', '00060'],
      'Cette valeur doit être un nombre entier de secondes, de 10 à 3600.',
    ],
    [
      'earliest_start_days',
      ['0', '366'],
      ['367', '-1'],
      'Cette valeur doit être un nombre entier de jours, de 0 à 366.',
    ],
    [
      'longest_loan_days',
      ['1', '3660'],
      ['0', '3661'],
      'Cette valeur doit être un nombre entier de jours, de 1 à 3660.',
    ],
    ['reminder_hour', ['0', '23'], ['24'], 'Cette valeur doit être un nombre entier d’heures, de 0 à 23.'],
    [
      'counter_reader_idle_seconds',
      ['10', '3600'],
      ['9', '3601', '1.5'],
      'Cette valeur doit être un nombre entier de secondes, de 10 à 3600.',
    ],
    [
      'counter_reader_forget_seconds',
      ['10', '3600'],
      ['9', '3601'],
      'Cette valeur doit être un nombre entier de secondes, de 10 à 3600.',
    ],
    [
      'idle_lock_minutes',
      ['0', '240'],
      ['241', '2.5', ''],
      'Cette valeur doit être un nombre entier de minutes, de 0 à 240.',
    ],
    [
      'delay_days_number_before_penalize',
      ['0', '3650'],
      ['3651', '-1', '1.5'],
      'Cette valeur doit être un nombre entier de jours, de 0 à 3650.',
    ],
    [
      'journal_months',
      ['0', '3', '600'],
      ['1', '2', '601', ''],
      'Cette valeur doit être un nombre entier de mois, de 3 à 600, ou 0 pour tout garder.',
    ],
    ['calendar_week_day', ['1', '7'], ['0', '8', '', '12'], 'Cette valeur doit être 1, 2, 3, 4, 5, 6 ou 7.'],
    [
      'barCodesSiteCodePosition',
      ['START', 'END'],
      ['start', 'MIDDLE', ''],
      'Cette valeur doit être START ou END.',
    ],
    ['work_council', ['Médiathèque'], [''], 'Le nom de l’organisation ne doit pas être vide.'],
    [
      'timezone',
      ['Europe/Paris', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+2', 'America/Port-au-Prince'],
      [
        '',
        'Paris',
        'Europe/',
        'Europe/Nulle',
        '+02:00',
        'europe/paris',
        'europe/Paris',
        'Europe/Paris ',
        ' Europe/Paris',
        "posixrules'; drop table",
      ],
      unknownTimeZone,
    ],
  ] as const)('%s takes %j, and none of %j', (code, taken, refused, fault) => {
    expect(taken.map((value) => parameterFault(code, value))).toEqual(taken.map(() => null))
    expect(refused.map((value) => parameterFault(code, value))).toEqual(refused.map(() => fault))
  })

  it.each(['of_another_version', 'constructor'])('takes any text for %s, which it does not know', (code) => {
    expect(parameterFault(code, 'n’importe quoi')).toBeNull()
  })

  it('finds none in what is delivered, and one in no text at all', () => {
    for (const code of parameterCodes) {
      expect([code, parameterFault(code, deliveredParameters[code].delivered)]).toEqual([code, null])
      expect([code, parameterFault(code, '')]).toEqual([code, expect.any(String)])
    }
  })
})

describe('counterParameters', () => {
  it('has all but what the server alone, or a desk with a network, does', () => {
    expect(parameterCodes.filter((code) => !counterParameters.includes(code))).toEqual([
      'recap_email',
      'reminder_hour',
      'online_booking_enabled',
      'enable_reservations_amount',
      'multiple_reservations',
      'sync_relatives',
      'cms_show_all_sites_copies',
      'barCodesIncrement',
      'barCodesSiteCodePosition',
      'journal_months',
      'retention_months',
      'retention_inactive_months',
    ])
  })
})
