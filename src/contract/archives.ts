import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { download } from './files.ts'
import { filterBy } from './list.ts'
import { type ItemOf, listed } from './resource.ts'
import { byId, instant, nothing } from './wire.ts'

/** It holds what every site has of every reader: nobody makes one from whom any of that is hidden (`seesWholeLibrary`). */
const access = 'PARAMETER_GENERAL'

const archiveStatuses = ['queued', 'running', 'done', 'failed'] as const

/** `done` of about `total`; `problem` says why one failed. */
export const archives = listed('archives', 'Archive', {
  words: ['une archive', 'ses archives de la bibliothèque, gardées un jour'],
  listedBy: access,
  shown: {
    status: v.picklist(archiveStatuses),
    total: v.number(),
    done: v.number(),
    problem: v.nullable(v.string()),
    /** In bytes, once it is made. */
    size: v.nullable(v.number()),
    created_at: instant,
    ended_at: v.nullable(instant),
    /** When the server forgets it. */
    kept_until: v.nullable(instant),
  },
  filters: { id: filterBy.id, status: filterBy.choice(archiveStatuses) },
  orders: ['created_at', 'id'],
  defaultDirection: 'desc',
})
export type Archive = ItemOf<typeof archives>

export const makeArchive = endpoint({
  name: 'archives.make',
  method: 'POST',
  path: '/api/archives',
  access,
  summary: 'Faire l’archive de toute la bibliothèque, à la place de celle qu’on avait demandée',
  answer: archives.member,
  status: 202,
})

export const getArchiveFile = endpoint({
  name: 'archives.file',
  method: 'GET',
  path: '/api/archives/{id}/file',
  access,
  summary: 'Le fichier d’une archive qu’on a demandée',
  params: byId,
  files: ['zip'],
  answer: download,
})

export const forgetArchive = endpoint({
  name: 'archives.remove',
  method: 'DELETE',
  path: '/api/archives/{id}',
  access,
  summary: 'Effacer une archive du serveur sans attendre',
  params: byId,
  answer: nothing,
  status: 204,
})

export const archiveEndpoints = [archives.list, makeArchive, getArchiveFile, forgetArchive]
