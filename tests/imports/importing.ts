import type { Import, ImportRefusal } from '../../src/contract/imports.ts'
import { runJobs } from '../../src/server/jobs/run-jobs.ts'
import { jobSteps } from '../../src/server/serve.ts'
import type { Client, TestServer } from '../support/test-server.ts'

type Source = string | Uint8Array
type Read = Import & { source: Source }

/** A person who imports files, as the screen does. */
export function importing(server: TestServer, as: Client, subject = 'references') {
  const send = async (name: string, source: Source) => {
    const form = new FormData()
    form.set('file', new File([source as BlobPart], name, { type: 'application/octet-stream' }))
    const response = await server.app.request(`/api/imports?subject=${subject}`, {
      method: 'POST',
      headers: { host: 'localhost', authorization: `Bearer ${as.token}` },
      body: form,
    })
    return { status: response.status, body: await response.json() }
  }
  const must = ({ status, body }: { status: number; body: unknown }): Import => {
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body as Import
  }
  const get = async (id: number) => must(await as.get(`/api/imports/${id}`))
  const read = async (name: string, source: Source): Promise<Read> => ({
    ...must(await send(name, source)),
    source,
  })
  const change = async (id: number, body: object) => must(await as.put(`/api/imports/${id}`, body))
  const check = async (id: number) => {
    must(await as.post(`/api/imports/${id}/check`))
    await server.doJobs()
    return get(id)
  }
  const run = async (
    id: number,
    { stopAfter, isAgain = false }: { stopAfter?: number; isAgain?: boolean } = {},
  ) => {
    if (!isAgain) must(await as.post(`/api/imports/${id}/run`))
    if (stopAfter === undefined) await server.doJobs()
    else await stopped(stopAfter)
    return get(id)
  }
  /** The server dies within a step. */
  const stopped = async (steps: number) => {
    let count = 0
    const breaking = runJobs({
      environment: server.environment,
      now: () => server.now,
      steps: {
        ...jobSteps,
        'imports.run': async (...how) => {
          const stepped = await jobSteps['imports.run'](...how)
          if (++count >= steps) throw new Error('stopped')
          return stepped
        },
      },
    })
    await breaking.catch(() => undefined)
  }
  return {
    send,
    get,
    read,
    change,
    check,
    run,
    whole: async (name: string, source: Source, choices: object = {}) => {
      const { id } = await read(name, source)
      await change(id, { choices })
      await check(id)
      return run(id)
    },
    refusals: async (id: number) =>
      (await as.get(`/api/imports/${id}/refusals`)).body['hydra:member'].map(
        ({ line, field, reason }: ImportRefusal) => ({ line, field, reason }),
      ),
    refusedRows: async (id: number) => {
      const { body } = await as.get(`/api/imports/${id}/refused_rows`)
      return Buffer.from(body).toString()
    },
    undo: async (act: number | null) => {
      const { status } = await as.post(`/api/acts/${act}/undo`)
      if (status !== 202) throw new Error(`undo ${status}`)
      await server.doJobs()
    },
  }
}
