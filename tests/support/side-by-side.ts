// Runs independent npm scripts two at a time and fails if one failed; each is told in one piece.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const waiting = process.argv.slice(2)
let failed = 0

async function run(script: string): Promise<void> {
  const child = spawn('npm', ['run', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk))
  await once(child, 'close')
  process.stdout.write(Buffer.concat(said))
  if (child.exitCode === 0) return
  failed += 1
  process.stdout.write(`\n${script} failed\n`)
}

async function work(): Promise<void> {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) await run(script)
}

await Promise.all([work(), work()])
process.exit(failed === 0 ? 0 : 1)
