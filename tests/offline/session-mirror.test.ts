import { describe, expect, it } from 'vitest'

import { transact } from '../../src/offline/device-store.ts'
import {
  currentSession,
  noteSessionRefused,
  forgetSession,
  refusedToken,
  rememberSession,
} from '../../src/offline/session-mirror.ts'
import { biblio, freshDevice, metaOf, outboxNews, reloadPage, signIn } from './device.ts'

freshDevice()

const session = { ...biblio, token: 'jeton' }
const refuse = (token: string) => transact(['meta'], 'readwrite', (tx) => noteSessionRefused(tx.store, token))

describe('the session that the device remembers', () => {
  it('is nobody’s at first', async () => {
    expect(await currentSession()).toBeNull()
    expect(await refusedToken()).toBeNull()
  })

  it('stays across a reload, and has the queue sent', async () => {
    const heard = outboxNews()
    await rememberSession(session)
    expect(heard).toEqual([{ ids: [], to_send: true }])
    await reloadPage()
    expect(await currentSession()).toEqual({ ...session, ended: false })
    expect(await refusedToken()).toBeNull()
  })

  it('goes at sign-out', async () => {
    await signIn()
    await forgetSession()
    expect([await currentSession(), await metaOf('session'), await metaOf('seal')]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('ends with its token, which stays refused whichever page remembers it again', async () => {
    await signIn()
    await refuse('jeton')
    expect([await currentSession(), await refusedToken(), await metaOf('seal')]).toEqual([
      null,
      'jeton',
      null,
    ])
    await rememberSession(session)
    expect(await currentSession()).toBeNull()
    await rememberSession({ ...session, token: 'neuf' })
    expect([(await currentSession())?.token, await refusedToken()]).toEqual(['neuf', null])
  })

  it('does not end by the refusal of an older token', async () => {
    await signIn(biblio, 'neuf')
    await refuse('jeton')
    expect((await currentSession())?.token).toBe('neuf')
    expect(await metaOf('seal')).not.toBeNull()
  })

  it('that nobody has is not ended either', async () => {
    await refuse('jeton')
    expect(await metaOf('session')).toBeNull()
  })
})
