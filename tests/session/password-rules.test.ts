import { expect, it } from 'vitest'

import { faultOfPassword } from '../../src/server/session/password-rules.ts'

it.each(['', 'court', 'neufsigns', '😀😀😀😀😀'])('« %s » is too short', (password) => {
  expect(faultOfPassword(password, 'biblio')).toBe('Le mot de passe doit compter au moins 10 caractères.')
})

it.each([
  'motdepasse',
  'MotDePasse2026!',
  'm0td3p4ss3',
  'P@ssw0rd123',
  'bonjour1234',
  '!!bonjour!!',
  'Marseille13',
  'Médiathèque31',
  'mot-de-passe',
  'jean-pierre',
  'correcthorsebatterystaple',
])('« %s » is common', (password) => {
  expect(faultOfPassword(password, 'biblio')).toMatch(/trop courant/)
})

it.each([
  'aaaaaaaaaaaa',
  'abababababab',
  '1234567890',
  '9876543210',
  'abcdefghijk',
  'poiuytreza',
  'zorglub-zorglub-',
  'qsdfghjklm1',
  '112233445566',
])('« %s » is a pattern', (password) => {
  expect(faultOfPassword(password, 'biblio')).not.toBeNull()
})

it('may not be the user’s name with something beside it', () => {
  expect(faultOfPassword('Zorglub-2026', 'zorglub')).toMatch(/nom d’utilisateur/)
  expect(faultOfPassword('le grand zorglub du soir', 'zorglub')).toBeNull()
})

it.each([
  'vélo jaune sous la pluie',
  'Kj3!vbq0Lmz',
  'trois petits tours',
  'comptoir-ouvert-tard',
  '7402958316',
])('« %s » may be chosen', (password) => {
  expect(faultOfPassword(password, 'biblio')).toBeNull()
})
