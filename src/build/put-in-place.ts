import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

import type { Plugin } from 'vite'

/** Pages that were open before a build go on asking for its predecessor's files. */
const keptDays = 7
const dayMs = 24 * 3_600_000

/** Where a folder is built: beside it, and for this process alone, so that builds at once do not meet. */
export const placeOfBuild = (folder: string): string => `${folder}.${process.pid}`

/** Comes last: moves what was built to where it is served, once all of it is written. */
export function putInPlace(folder: string): Plugin {
  const at = new Date()
  const made = placeOfBuild(folder)
  let isWritten = false
  return {
    name: 'put-in-place',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    },
    writeBundle() {
      isWritten = true
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        if (isWritten) moveBuild(made, folder, at)
      },
    },
  }
}

/**
 * Moves a build over the one before it. Every file of a build has the time when it began, so that the next ones know whose it
 * is: what this one no longer has goes when it was replaced days ago.
 */
export function moveBuild(made: string, folder: string, at: Date): void {
  const files = filesIn(made)
  const isNew = new Map(files.map((file) => [file, !existsSync(join(folder, file))]))
  // What a page or a program loads is there before it is; « sw.js », which fetches them all, comes after « index.html ».
  const inOrder = files.toSorted((a, b) => Number(isNew.get(b)) - Number(isNew.get(a)) || (a < b ? -1 : 1))
  for (const file of inOrder) {
    utimesSync(join(made, file), at, at)
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    renameSync(join(made, file), join(folder, file))
  }
  rmSync(made, { recursive: true })
  sweepFormer(folder, new Set(files), at.getTime() - keptDays * dayMs)
  sweepCutShort(folder, at.getTime() - dayMs)
}

function sweepFormer(folder: string, current: ReadonlySet<string>, before: number): void {
  const timeOf = new Map(filesIn(folder).map((file) => [file, buildTime(join(folder, file))]))
  const times = [...new Set(timeOf.values())].toSorted((a, b) => a - b)
  for (const [file, time] of timeOf) {
    const replacedAt = times.find((later) => later > time) ?? Infinity
    if (!current.has(file) && replacedAt < before) rmSync(join(folder, file))
  }
}

/** Builds that were killed left theirs. */
function sweepCutShort(folder: string, before: number): void {
  for (const name of readdirSync(dirname(folder))) {
    const place = join(dirname(folder), name)
    const isOfBuild = name.startsWith(`${basename(folder)}.`) && /\.\d+$/.test(name)
    if (isOfBuild && lstatSync(place).mtimeMs < before) rmSync(place, { recursive: true, force: true })
  }
}

/** The files of a folder's last build, which wrote its `entry`, without those that are kept of earlier ones. A clock that went back changes nothing. */
export function filesOfLastBuild(folder: string, entry: string): string[] {
  const files = filesIn(folder)
  const last = buildTime(join(folder, entry))
  return files.filter((file) => buildTime(join(folder, file)) === last)
}

const buildTime = (path: string): number => Math.floor(statSync(path).mtimeMs)

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder).length + 1))
