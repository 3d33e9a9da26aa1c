// Before `npm start`: builds where sources are younger than what is built. Without the tools it starts what stands.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

import { isBuiltSince } from './built-since.js'

const built = ['dist/client/index.html', 'dist/server/main.js']
const canBuild = existsSync('node_modules/vite')
const canStart = () => built.every((file) => existsSync(file))

if (!built.every((file) => isBuiltSince(file))) {
  if (canBuild) {
    const { status } = spawnSync('npm', ['run', 'build'], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    // A build takes the place of the one before only once it is whole.
    if (status !== 0 && canStart())
      process.stderr.write('La construction a échoué\u202f: ce qui était construit démarre tel quel.\n')
    else process.exitCode = status ?? 1
  } else if (canStart()) {
    process.stdout.write(
      'Les sources sont plus récentes que ce qui est construit, qui démarre tel quel (npm ci pour construire).\n',
    )
  } else {
    process.stderr.write('Rien n’est construit, et les outils pour le faire manquent\u202f: npm ci\n')
    process.exitCode = 1
  }
}
