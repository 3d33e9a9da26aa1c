import { hostUnknownStatus } from '../../contract/system.ts'
import { hostUnknown } from '../../domain/host-unknown.ts'
import type { Refusal } from '../http/outcome.ts'

/** To a call at a host that is no library’s. A device keeps what waits: it may be mended with one command. */
export const hostUnknownRefusal: Refusal = {
  status: hostUnknownStatus,
  reason: 'HOST_UNKNOWN',
  message: hostUnknown,
}

/** To who opens a page there. */
export const hostUnknownPage = `<!doctype html>
<html lang="fr">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Adresse inconnue · Comptoir</title>
  </head>
  <body>
    <h1>Adresse inconnue</h1>
    <p>${hostUnknown}</p>
    <p>Sur le serveur, «\u202fnpm run environment -- list\u202f» dit quelles adresses sont servies.</p>
  </body>
</html>
`
