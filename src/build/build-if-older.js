// Before `npm start`: builds where sources are younger than what is built. Without the tools it starts what stands.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

import { isBuiltSince } from './built-since.js'

const built = ['dist/client/index.html', 'dist/server/main.js']
const canBuild = existsSync('node_modules/vite')

if (!built.every((file) => isBuiltSince(file))) {
  if (canBuild) {
    const { status } = spawnSync('npm', ['run', 'build'], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    process.exitCode = status ?? 1
  } else if (built.every((file) => existsSync(file))) {
    process.stdout.write(
      'Les sources sont plus récentes que ce qui est construit, qui démarre tel quel (npm ci pour construire).\n',
    )
  } else {
    process.stderr.write('Rien n’est construit, et les outils pour le faire manquent\u202f: npm ci\n')
    process.exitCode = 1
  }
}
