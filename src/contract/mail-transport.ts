import * as v from 'valibot'

import { endpoint } from './endpoint.ts'

// How mails leave, and a mail to oneself that shows it: apart, because the counter’s first page has the other calls of mails.

export const getMailTransport = endpoint({
  name: 'mail.transport',
  method: 'GET',
  path: '/api/mail/transport',
  access: ['SEND_MAIL', 'USER_EDIT', 'PARAMETER_GENERAL', 'PARAMETER_MAIL'],
  summary: 'Si les courriels partent, ou deviennent des fichiers du serveur',
  answer: v.object({ connected: v.boolean() }),
})

export const tryMail = endpoint({
  name: 'mail.trial',
  method: 'POST',
  path: '/api/mail/trial',
  access: 'PARAMETER_GENERAL',
  summary: 'Écrire un courriel d’essai à sa propre adresse, et dire ce que le serveur de messagerie en fait',
  answer: v.object({ outcome: v.picklist(['sent', 'written', 'failed']), message: v.string() }),
})

export const mailTransportEndpoints = [getMailTransport, tryMail]
