/** On an answer of the device itself: the call is in its outbox. */
export const keptHeader = 'X-Kept'

const sentence =
  'Le serveur ne répond pas\u202f: l’action est gardée sur cet appareil, et partira au retour du réseau.'

/** As an outage, which every page has always shown in its words, sent again with the same key and taken for no refusal. */
export const keptAnswer = (): Response =>
  new Response(JSON.stringify({ code: 503, message: sentence }), {
    status: 503,
    headers: { 'Content-Type': 'application/json', [keptHeader]: '1' },
  })
