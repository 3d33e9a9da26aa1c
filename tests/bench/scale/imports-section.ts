import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

import type { Import } from '../../../src/contract/imports.ts'
import { notice } from '../../imports/notices.ts'
import { benchScale, inMs, median, quantile, type Section, skipped, type Table } from '../section.ts'
import { isBuilt, type ServerProcess, startServer } from '../server-process.ts'
import { type BenchLibrary, type Engine, findPostgres, openBenchLibrary } from './bench-library.ts'
import { benchSize } from './scale-section.ts'

/** As many as a real library's catalogue, and as a large one's; BENCH_ROWS for another. */
const asked = Number(process.env['BENCH_ROWS'] ?? 0)
const catalogues = asked > 0 ? [asked] : benchScale === 'full' ? [100_000, 8401] : [8401]

/** BENCH_ENGINE for one of them alone. */
const isMeasured = (engine: Engine) => (process.env['BENCH_ENGINE'] ?? engine) === engine

/** A catalogue brought in by the built server, what others wait for meanwhile, and all of it taken back. */
export const importsSection: Section = {
  name: 'imports',
  async *run() {
    if (!isBuilt()) {
      yield skipped('Imports', 'dist/server is not built (npm run build:server)')
      return
    }
    const isThere = (await findPostgres()) !== null
    if (!isThere) yield skipped('Imports on PostgreSQL', 'PostgreSQL is not reachable')
    for (const engine of isThere ? (['PostgreSQL', 'embedded'] as const) : (['embedded'] as const)) {
      if (!isMeasured(engine)) continue
      for (const rows of catalogues) yield await measure(engine, rows)
      yield await measureReaders(engine)
    }
  },
}

async function measure(engine: Engine, rows: number): Promise<Table> {
  const library = await openBenchLibrary(engine, benchSize)
  // The server opens the directory itself.
  await library.environment.close()
  const server = await startServer(library)
  try {
    const call = callerOf(server, library)
    const rest = await waitsWhile(call, () => delay(5000))
    const read = await timed(() => call.upload('catalogue.csv', catalogue(rows)))
    await call.post<Import>(`/api/imports/${read.answer.id}`, { choices: { site: 1 } }, 'PUT')
    const follow = async (what: string) => {
      await call.post(what)
      for (;;) {
        const { status } = await call.get<Import>(`/api/imports/${read.answer.id}`)
        if (status === 'checked' || status === 'done') return
        await delay(200)
      }
    }
    const tried = await waitsWhile(call, () => follow(`/api/imports/${read.answer.id}/check`))
    const before = memoryOf(server)
    const run = await waitsWhile(
      call,
      () => follow(`/api/imports/${read.answer.id}/run`),
      () => memoryOf(server),
    )
    const done = await call.get<Import>(`/api/imports/${read.answer.id}`)
    const undone = await waitsWhile(call, async () => {
      await call.post(`/api/acts/${done.act}/undo`)
      for (;;) {
        const { undone, touched } = await call.get<{ undone: number; touched: number }>(
          `/api/acts/${done.act}`,
        )
        if (undone >= touched) return
        // As its page does.
        await delay(Math.min(10_000, Math.max(1000, touched / 10)))
      }
    })
    const line = (what: string, { took, health, scans }: Waits) => [
      what,
      `${(took / 1000).toFixed(1)} s`,
      what === 'at rest' ? '' : (rows / (took / 1000)).toFixed(0),
      `${inMs(median(health))} / ${inMs(quantile(health, 0.95))} / ${inMs(Math.max(...health))} ms`,
      `${inMs(median(scans))} / ${inMs(quantile(scans, 0.95))} ms`,
    ]
    return {
      title: `A catalogue of ${rows.toLocaleString('en')} rows brought in, ${engine}, beside ${benchSize.loans.toLocaleString('en')} loans`,
      notes: [
        `${JSON.stringify(done.counts)}. Memory of the server's process: ${before} MB before the import, at most ${Math.max(...run.told)} MB during it.`,
      ],
      columns: [
        '',
        'took',
        'rows a second',
        '/health, median / p95 / most',
        'looking a scanned copy up, median / p95',
      ],
      rows: [
        line('at rest', rest),
        [
          'read and kept',
          `${(read.took / 1000).toFixed(1)} s`,
          (rows / (read.took / 1000)).toFixed(0),
          '',
          '',
        ],
        line('tried', tried),
        line('brought in', run),
        line('taken back', undone),
      ],
    }
  } finally {
    await server.stop()
    await library.drop()
  }
}

/** Files of readers and of notices with a copy, in turn: what a line of each costs. */
async function measureReaders(engine: Engine): Promise<Table> {
  const library = await openBenchLibrary(engine, benchSize)
  await library.environment.close()
  const server = await startServer(library)
  try {
    const call = callerOf(server, library)
    const bringIn = async (subject: string, name: string, file: string | Uint8Array) => {
      const { id } = await call.upload(name, file, subject)
      await call.post<Import>(`/api/imports/${id}`, { choices: { site: 1 } }, 'PUT')
      const step = async (what: 'check' | 'run') => {
        const { took } = await timed(async () => {
          await call.post(`/api/imports/${id}/${what}`)
          for (;;) {
            const { status } = await call.get<Import>(`/api/imports/${id}`)
            if (status === 'checked' || status === 'done') return
            await delay(20)
          }
        })
        return took
      }
      const took = { tried: await step('check'), run: await step('run') }
      const { counts } = await call.get<Import>(`/api/imports/${id}`)
      return { ...took, counts }
    }
    const all = { readers: [] as Took[], notices: [] as Took[] }
    // The first of each wakes the server up.
    for (let round = 0; round < 4; round += 1) {
      const readers = await bringIn('readers', 'lecteurs.csv', readersFile(round))
      const notices = await bringIn('references', 'notices.mrc', noticesFile(round))
      if (readers.counts.added !== readerCount || notices.counts.copies !== noticeCount)
        throw new Error(`${JSON.stringify(readers.counts)} ${JSON.stringify(notices.counts)}`)
      if (round === 0) continue
      all.readers.push(readers)
      all.notices.push(notices)
    }
    const line = (what: string, lines: number, took: readonly Took[]) => {
      const [tried, run] = [median(took.map(({ tried }) => tried)), median(took.map(({ run }) => run))]
      const ofLine = (ms: number) => (ms / lines).toFixed(2)
      return [what, `${inMs(tried)} ms`, `${ofLine(tried)} ms`, `${inMs(run)} ms`, `${ofLine(run)} ms`]
    }
    return {
      title: `Readers beside notices, ${engine}, three times in turn`,
      columns: ['', 'tried', 'a line', 'brought in', 'a line'],
      rows: [
        line(`${readerCount} readers`, readerCount, all.readers),
        line(`${noticeCount} notices with a copy`, noticeCount, all.notices),
      ],
    }
  } finally {
    await server.stop()
    await library.drop()
  }
}

type Took = { tried: number; run: number }

const readerCount = 400
const noticeCount = 200

const readersFile = (round: number): string =>
  `matricule;nom;prénom;carte;courriel;contrat;commune;date fin abonnement\n${Array.from(
    { length: readerCount },
    (_, at) => {
      const number = String(round * readerCount + at).padStart(6, '0')
      return `L${number};Nom ${at % 90};Prénom ${number};CARTE${number};lecteur${number}@exemple.fr;Annuel;Commune ${at % 12};31/12/2027\n`
    },
  ).join('')}`

const noticesFile = (round: number): Buffer =>
  Buffer.concat(
    Array.from({ length: noticeCount }, (_, at) => {
      const number = String(round * noticeCount + at).padStart(6, '0')
      return notice({
        title: `La notice numéro ${number}`,
        author: [`Auteur ${at % 60}`, 'Jeanne'],
        copies: [{ f: `NOT${number}`, k: `R ${at % 50}` }],
      })
    }),
  )

const catalogue = (count: number): string =>
  `titre;auteur;isbn;editeur;annee;support;code-barres;cote\n${Array.from(
    { length: count },
    (_, at) =>
      `Le livre importé numéro ${at};Autrice ${at % 900}, Jeanne;;Éditeur ${at % 70};${1950 + (at % 70)};Livre;IMP${String(at).padStart(7, '0')};R ${at % 500}\n`,
  ).join('')}`

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; answer: T }> {
  const from = performance.now()
  const answer = await work()
  return { took: performance.now() - from, answer }
}

type Waits = { took: number; health: number[]; scans: number[]; told: number[] }

/** How long somebody else waits for the server while it works. */
async function waitsWhile(
  call: Caller,
  work: () => Promise<unknown>,
  tell: () => number = () => 0,
): Promise<Waits> {
  const waits: Waits = { took: 0, health: [], scans: [], told: [0] }
  const over = new AbortController()
  const watch = async () => {
    for (let n = 1; !over.signal.aborted; n += 1) {
      waits.health.push((await timed(() => call.get('/health'))).took)
      waits.scans.push((await timed(() => call.get(`/api/copies?bar_code=${n}&limit=20`))).took)
      waits.told.push(tell())
      await delay(50)
    }
  }
  const watching = watch()
  waits.took = (await timed(work)).took
  over.abort()
  await watching
  return waits
}

/** Resident, in MB, as Linux tells it. */
function memoryOf({ pid }: ServerProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}

type Caller = ReturnType<typeof callerOf>

function callerOf({ address }: ServerProcess, { token }: Pick<BenchLibrary, 'token'>) {
  const headers = { authorization: `Bearer ${token}` }
  const read = async <T>(response: Response): Promise<T> => {
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  return {
    get: async <T = unknown>(path: string) => read<T>(await fetch(address + path, { headers })),
    post: async <T = unknown>(path: string, body?: object, method = 'POST') =>
      read<T>(
        await fetch(address + path, {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        }),
      ),
    upload: async (name: string, file: string | Uint8Array, subject = 'references') => {
      const form = new FormData()
      form.set('file', new File([file as BlobPart], name, { type: 'application/octet-stream' }))
      return read<Import>(
        await fetch(`${address}/api/imports?subject=${subject}`, { method: 'POST', headers, body: form }),
      )
    },
  }
}
