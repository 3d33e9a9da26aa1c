import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'comptoir-start-'))
  // Outside the installation, for all in it that a build is made from counts.
  for (const file of ['build-if-older.js', 'built-since.js'])
    cpSync(join('src/build', file), join(root, 'tool', file))
  write('tool/package.json', '{"type":"module"}')
  mkdirSync(join(root, 'library'))
})
afterEach(() => rmSync(root, { recursive: true }))

const write = (file: string, text = '') => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
/** A file of the installation, of that day. */
const put = (file: string, day: number) => {
  write(join('library', file))
  const at = new Date(2026, 2, day)
  utimesSync(join(root, 'library', file), at, at)
}
const putSources = (day: number) => {
  put('src/main.ts', day)
  // A folder is as young as its last change of names.
  utimesSync(join(root, 'library/src'), new Date(2026, 2, day), new Date(2026, 2, day))
}
const putBuilt = (day: number) => {
  put('dist/client/index.html', day)
  put('dist/server/main.js', day)
}
const putTools = () => mkdirSync(join(root, 'library/node_modules/vite'), { recursive: true })

/** What is done before `npm start`, where a build ends as `build` says: what was asked of npm, what was said, how it ended. */
function start({ build = 0 } = {}) {
  const asked = join(root, 'asked')
  rmSync(asked, { force: true })
  write('bin/npm', `#!/bin/sh\necho "$@" >> "${asked}"\nexit ${build}\n`)
  chmodSync(join(root, 'bin/npm'), 0o755)
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'tool/build-if-older.js')], {
    cwd: join(root, 'library'),
    encoding: 'utf8',
    env: { PATH: [join(root, 'bin'), '/usr/bin', '/bin'].join(delimiter) },
  })
  return { asked: existsSync(asked) ? readFileSync(asked, 'utf8') : '', status, said: stdout + stderr }
}

describe.skipIf(process.platform === 'win32')('what is built before a start', () => {
  it('is nothing where there are no sources: an unpacked archive starts as it is', () => {
    putBuilt(1)
    expect(start()).toEqual({ asked: '', status: 0, said: '' })
  })

  it('is nothing where what stands is younger than its sources', () => {
    putSources(1)
    putBuilt(2)
    putTools()
    expect(start()).toEqual({ asked: '', status: 0, said: '' })
  })

  it.each([
    ['nothing stands', () => undefined],
    ['half of it stands', () => put('dist/client/index.html', 2)],
    ['what stands is older than its sources', () => putBuilt(1)],
  ])('is all of it where %s', (_, stands) => {
    putSources(1)
    stands()
    put('src/main.ts', 3)
    putTools()
    expect(start()).toEqual({ asked: 'run build\n', status: 0, said: '' })
  })

  it('stops the start where it fails and nothing stands, and else leaves what stands to start, and says so', () => {
    putSources(2)
    putTools()
    expect(start({ build: 2 })).toEqual({ asked: 'run build\n', status: 2, said: '' })
    putBuilt(1)
    expect(start({ build: 2 })).toEqual({
      asked: 'run build\n',
      status: 0,
      said: 'La construction a échoué\u202f: ce qui était construit démarre tel quel.\n',
    })
  })

  it('is nothing where the tools are missing: what stands starts, and else what to do is said', () => {
    putSources(2)
    expect(start()).toEqual({
      asked: '',
      status: 1,
      said: 'Rien n’est construit, et les outils pour le faire manquent\u202f: npm ci\n',
    })
    putBuilt(1)
    expect(start()).toEqual({
      asked: '',
      status: 0,
      said: 'Les sources sont plus récentes que ce qui est construit, qui démarre tel quel (npm ci pour construire).\n',
    })
  })
})
