import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, it } from 'vitest'

const client = fileURLToPath(new URL('../../src/client/', import.meta.url))

const isComment = (line: string) => /^\s*(\/\/|\/?\*|\{\/\*)/.test(line)
// A plain space where a line must not break: inside guillemets, or before a sign that French sets apart.
const isLoose = (line: string) =>
  /« | »|[\p{L}»] [!?;:]( \p{Ll}[\p{L}’]+ |\s*<\/|\s*\$\{[a-z.]+\}`)/u.test(line)

it('a page never lets a line break inside guillemets nor before a high sign', () => {
  const loose = readdirSync(client, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) =>
      readFileSync(client + name, 'utf8')
        .split('\n')
        .filter((line) => !isComment(line) && !/ \? .* : /.test(line) && isLoose(line))
        .map((line) => `${name}: ${line.trim()}`),
    )
  expect(loose).toEqual([])
})
