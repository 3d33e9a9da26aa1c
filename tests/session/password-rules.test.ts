import { describe, expect, it } from 'vitest'

import { demonstrationAccounts } from '../../src/server/session/demonstration-accounts.ts'
import { faultOfPassword, leakedPasswords } from '../../src/server/session/password-rules.ts'

describe('faultOfPassword', () => {
  it.each(['', 'court', 'neufsigns', '😀😀😀😀😀'])('finds « %s » too short', (password) => {
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
  ])('finds « %s » common', (password) => {
    expect(faultOfPassword(password, 'biblio')).toMatch(/trop courant/)
  })

  const tried = `
  Password123 Password1234 Password2024 P@ssw0rd2024 Passw0rd!! password01 Motdepasse1 MotDePasse123 motdepasse! Azerty1234 Azerty123!
  azertyuiop1 Azerty2024! azerty12345 Qwerty1234 Qwerty123! qwertyuiop123 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc q1w2e3r4t5 zaq12wsxcde3
  123456789a a123456789 0987654321 12345678910 123123123123 1111111111 abcd123456 abc123abc123 iloveyou123 ILoveYou22 jetaime1234
  Jetaime2024 doudou1234 loulou1234 chouchou12 Soleil2024! soleil12345 Marseille2024 Toulouse31! paris75000 France2024! france1998
  Nicolas1985 Sunshine123 Princess123 princesse1 Dragon2024! monkey12345 Football123 football2024 liverpool1 Chelsea2024 superman123
  Batman12345 starwars77 Pokemon123! naruto1234 Welcome2024! letmein1234 trustno1trustno1 admin12345 Admin123456 administrateur
  root123456 user123456 Test12345! changeme123 default123 Bibliotheque1 Médiathèque2024 ludotheque1 Comptoir123 Summer2024! Hiver2024!
  Printemps2024 Vendredi13 Michael123 jessica123 Charlie123 alexandre1 Camille2024 chocolat123 Computer123 internet123 Secret2024!
  master12345 shadow12345 love123456 Love2024!! alex123456 whatever123 qazwsxedc123 !QAZ2wsx#EDC google1234 Facebook123 iphone2024
  Killer1234 ncc1701ncc1701 Thomas1234 Ncc1701123456 wxcvbn1234`

  it.each(tried.trim().split(/\s+/))('refuses « %s », which everybody tries', (password) => {
    expect(faultOfPassword(password, 'gardien')).not.toBeNull()
  })

  it('refuses the 10,000 most common passwords, which are of any length, with a year or a run of figures behind', () => {
    const list = [...leakedPasswords].slice(0, 10_000)
    expect(list).toHaveLength(10_000)
    expect(list.filter((password) => faultOfPassword(password, 'gardien') === null)).toEqual([])
    const lengthened = list.flatMap((password) => [
      `${password}2024!`,
      `${password}123456`,
      `${password}!!!!!!`,
    ])
    expect(lengthened.filter((password) => faultOfPassword(password, 'gardien') === null)).toEqual([])
  })

  it('refuses the password that the demonstration publishes, however it is written', () => {
    for (const password of [
      demonstrationAccounts.password,
      'Comptoir-Demo!',
      'C0mpt0ir-D3m0',
      'comptoir demo 2026',
    ])
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
  ])('finds a pattern in « %s »', (password) => {
    expect(faultOfPassword(password, 'biblio')).not.toBeNull()
  })

  it('refuses the user’s name with something beside it', () => {
    expect(faultOfPassword('Zyglotrope-2026', 'zyglotrope')).toMatch(/nom d’utilisateur/)
    expect(faultOfPassword('le grand zyglotrope du soir', 'zyglotrope')).toBeNull()
  })

  it.each([
    'vélo jaune sous la pluie',
    'Kj3!vbq0Lmz',
    'trois petits tours',
    'comptoir-ouvert-tard',
    '7402958316',
    'x7-40!29#58a31',
    'r1vek-644-9930',
    '4f6d0c92be17',
  ])('lets « %s » be chosen', (password) => {
    expect(faultOfPassword(password, 'biblio')).toBeNull()
  })
})
